; Single nodes and short patterns only: each costs what walking past the node costs.

(package_declaration) @package
(import_declaration) @import

[(class_declaration) (record_declaration)] @class
[(interface_declaration) (annotation_type_declaration)] @interface
(enum_declaration) @enum
(enum_constant) @member
[(method_declaration) (annotation_type_element_declaration)] @method
[(constructor_declaration) (compact_constructor_declaration)] @constructor
[(field_declaration) (constant_declaration)] @field
(record_declaration parameters: (formal_parameters (formal_parameter) @component))
(object_creation_expression (class_body) @anonymous)

; What opens a scope.
[
  (class_declaration) (record_declaration) (interface_declaration) (annotation_type_declaration) (enum_declaration)
  (method_declaration) (constructor_declaration) (compact_constructor_declaration) (class_body) (block)
  (constructor_body) (for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause)
  (lambda_expression) (switch_block_statement_group) (switch_rule)
] @scope

; What declares a local name.
[(formal_parameter) (spread_parameter) (catch_formal_parameter) (resource)] @parameter
(local_variable_declaration) @variable
(enhanced_for_statement) @each
(inferred_parameters (identifier) @plain)
(lambda_expression parameters: (identifier) @plain)
(instanceof_expression name: (identifier) @plain)
(type_pattern (identifier) @plain)
(record_pattern_component (identifier) @plain)
(type_parameter (type_identifier) @plain)

; What names something. Paths are read from their first name on.
(identifier) @name
[(this) (super)] @name
(type_identifier) @type.name

; In what way.
(object_creation_expression type: (_) @new)
(method_reference . [(identifier) (field_access) (generic_type)] @new "new")
(record_pattern . (identifier) @matched)
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
[(annotation name: (_) @decorator) (marker_annotation name: (_) @decorator)]

; What names nothing.
(element_value_pair key: (identifier) @key)
(labeled_statement (identifier) @key)
(break_statement (identifier) @key)
(continue_statement (identifier) @key)
