; Single nodes and short patterns only: each costs what walking past the node costs.

(package_clause) @package
(import_spec) @import

(function_declaration) @function
(method_declaration) @method
(method_elem) @abstract
(type_spec) @type
(type_alias) @alias
(field_declaration) @field
(source_file (var_declaration (var_spec) @global))
(source_file (var_declaration (var_spec_list (var_spec) @global)))
(source_file (const_declaration (const_spec) @constant))
(source_file (type_declaration (type_spec) @outer))
(source_file (type_declaration (type_alias) @outer))

; What opens a scope.
[
  (function_declaration) (method_declaration) (func_literal) (function_type) (method_elem) (type_spec) (type_alias)
  (block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
  (expression_case) (type_case) (default_case) (communication_case)
] @scope

; What declares a local name.
[(parameter_declaration) (variadic_parameter_declaration) (type_parameter_declaration)] @parameter
(short_var_declaration) @short
(range_clause) @range
(receive_statement) @receive
(type_switch_statement alias: (expression_list) @switched)
[(var_spec) (const_spec)] @variable

; What names something.
(identifier) @name
(type_identifier) @type.name
(package_identifier) @package.name

; In what way.
(composite_literal type: (_) @new)
(composite_literal type: (generic_type type: (_) @new))
(field_declaration !name type: (_) @base)
(field_declaration !name type: (generic_type type: (_) @base))
(interface_type (type_elem . (type_identifier) @base .))
(interface_type (type_elem . (qualified_type) @base .))

; Keys of literals are fields, unless the literal is a map or an array.
(keyed_element key: (literal_element (identifier) @key))
(composite_literal
  type: [(map_type) (array_type) (slice_type) (implicit_length_array_type)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @key.use))))
