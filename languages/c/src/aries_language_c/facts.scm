; Single nodes and short patterns only: each costs what walking past the node costs.

(preproc_include) @include
[(preproc_def) (preproc_function_def)] @macro

(function_definition) @function
(declaration) @declaration
(type_definition) @typedef
[(struct_specifier body: (_)) (union_specifier body: (_))] @struct
(enum_specifier body: (_)) @enum
(enumerator) @member
(field_declaration) @field

; What opens a scope.
[(function_definition) (compound_statement) (for_statement)] @scope

; Names that are declared where they stand.
(parameter_declaration) @typed
[
  (declaration declarator: (identifier) @declared)
  (init_declarator declarator: (identifier) @declared)
  (pointer_declarator declarator: (identifier) @declared)
  (array_declarator declarator: (identifier) @declared)
  (function_declarator declarator: (identifier) @declared)
  (parenthesized_declarator (identifier) @declared)
  (parameter_declaration declarator: (identifier) @declared)
]
(preproc_params (identifier) @skipped)

; What names something. Members of values are read from the name before them.
(identifier) @name
(type_identifier) @type.name
