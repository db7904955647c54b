; What the reader asks of a file, in one traversal. Each capture is a single node, since the reader works on places in
; the text. Patterns begin at nodes that are small or rare: one that begins at a container costs at every node in it.
; JSX is in `jsx.scm`, for the dialect that has it.

; uses of names, and what stands in place of one
[(identifier) (shorthand_property_identifier)] @name
(type_identifier) @type
[(this) (super)] @this

; statements that the reader takes apart
(import_statement) @import
(export_statement) @export
(ambient_declaration) @ambient
(import) @loading
(meta_property) @meta

; definitions; members of classes, interfaces, enums and types are found from there
[(function_declaration) (generator_function_declaration) (function_signature) (class_declaration)
 (abstract_class_declaration) (interface_declaration) (type_alias_declaration) (enum_declaration) (internal_module)
 (module) (import_alias) (ambient_declaration) (method_definition) (public_field_definition) (abstract_method_signature)
 (assignment_expression)] @definition
(variable_declarator) @declarator
(function_expression name: (_)) @expression
(generator_function name: (_)) @expression
(class name: (_)) @expression

; scopes
[(function_declaration) (generator_function_declaration) (method_definition) (function_signature) (method_signature)
 (abstract_method_signature) (function_type) (constructor_type) (call_signature) (construct_signature)] @function
[(function_expression) (generator_function)] @closure
(arrow_function) @arrow
(class) @class
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body) (class_declaration)
 (abstract_class_declaration) (interface_declaration) (type_alias_declaration) (conditional_type) (object_type)] @block
(class_body) @body

; names that hide others
(variable_declarator name: (identifier) @local)
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement kind: _ left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(index_signature name: (identifier) @local)
(type_parameter name: (type_identifier) @parameter)
(infer_type (type_identifier) @parameter)
(mapped_type_clause name: (type_identifier) @parameter)
; ... and do not, where a pattern only assigns
(assignment_expression left: [(array_pattern) (object_pattern)] @assigned)
(for_in_statement !kind left: [(array_pattern) (object_pattern)] @assigned)
; ... in the whole function
(variable_declaration) @hoisted
(for_in_statement kind: "var" left: (_) @hoisted)

; what a use is for
(new_expression constructor: (_) @new)
(extends_clause value: (_) @base)
(implements_clause (_) @base)
(extends_type_clause type: (_) @base)
(decorator (_) @decorator)
(type_query (_) @typed)
(nested_type_identifier) @typed
(type_arguments) @arguments
(decorator) @decoration
