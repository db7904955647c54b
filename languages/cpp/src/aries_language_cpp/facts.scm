; Single nodes and short patterns only: each costs what walking past the node costs.

(preproc_include) @include
[(preproc_def) (preproc_function_def)] @macro

(namespace_definition) @namespace
(template_declaration) @template
[(class_specifier body: (_)) (struct_specifier body: (_)) (union_specifier body: (_))] @struct
(enum_specifier body: (_)) @enum
(enumerator) @member
(function_definition) @function
(declaration) @declaration
(type_definition) @typedef
[(alias_declaration) (concept_definition)] @alias
(field_declaration) @field

; What opens a scope.
[
  (function_definition) (compound_statement) (for_statement) (for_range_loop) (lambda_expression) (template_declaration)
  (if_statement) (catch_clause) (class_specifier) (struct_specifier) (union_specifier)
] @scope

; Names that are declared where they stand.
[(parameter_declaration) (optional_parameter_declaration) (for_range_loop)] @typed
[
  (declaration declarator: (identifier) @declared)
  (init_declarator declarator: (identifier) @declared)
  (pointer_declarator declarator: (identifier) @declared)
  (reference_declarator (identifier) @declared)
  (array_declarator declarator: (identifier) @declared)
  (function_declarator declarator: (identifier) @declared)
  (parenthesized_declarator (identifier) @declared)
  (variadic_declarator (identifier) @declared)
  (structured_binding_declarator (identifier) @declared)
  (parameter_declaration declarator: (identifier) @declared)
  (optional_parameter_declaration declarator: (identifier) @declared)
  (for_range_loop declarator: (identifier) @declared)
]
(type_parameter_declaration (type_identifier) @generic)
(variadic_type_parameter_declaration (type_identifier) @generic)
(optional_type_parameter_declaration name: (type_identifier) @generic)
(template_parameter_list (parameter_declaration declarator: (identifier) @generic))
[(preproc_params (identifier) @skipped) (destructor_name (identifier) @skipped)]

; What names something. Members of values are read from the name before them.
(identifier) @name
(this) @name
(namespace_identifier) @name
(type_identifier) @type.name

; In what way.
(new_expression type: (_) @new)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
