; What the reader asks of a file. One traversal answers all of it; each capture is a single node, since the reader
; works on places in the text. JSX is in `jsx.scm`, for the dialect that has it.

; uses of names, and what stands in place of one
[(identifier) (shorthand_property_identifier)] @name
(type_identifier) @type
(this) @this

; statements that the reader takes apart
(import_statement) @import
(export_statement) @export
(ambient_declaration) @ambient
(call_expression function: (import)) @loading
(call_expression function: (member_expression object: (meta_property))) @meta
(variable_declarator value: [(call_expression) (member_expression) (await_expression)]) @received

; definitions
[(function_declaration) (generator_function_declaration) (function_signature) (class_declaration)
 (abstract_class_declaration) (interface_declaration) (type_alias_declaration) (enum_declaration) (internal_module)
 (module) (import_alias)] @definition
(class_body [(method_definition) (method_signature) (abstract_method_signature) (public_field_definition)] @definition)
(object (method_definition) @definition)
(interface_body [(method_signature) (property_signature)] @definition)
(type_alias_declaration value: (object_type [(method_signature) (property_signature)] @definition))
(enum_body [(enum_assignment) (property_identifier) (string)] @definition)
(required_parameter [(accessibility_modifier) (override_modifier) "readonly"]) @definition
(optional_parameter [(accessibility_modifier) (override_modifier) "readonly"]) @definition
(variable_declarator value: [(function_expression) (generator_function) (arrow_function) (class)
  (parenthesized_expression) (satisfies_expression) (as_expression)]) @definition
(pair value: [(function_expression) (generator_function) (arrow_function) (class) (object)
  (parenthesized_expression) (satisfies_expression) (as_expression)]) @definition
(assignment_expression left: (member_expression)) @definition
(assignment_expression left: (identifier)
  right: [(function_expression) (generator_function) (arrow_function) (class)]) @definition
(function_expression name: (_)) @expression
(generator_function name: (_)) @expression
(class name: (_)) @expression

; variables of the file and of namespaces
(program [(lexical_declaration) (variable_declaration)] @variables)
(program (export_statement declaration: [(lexical_declaration) (variable_declaration)] @variables))
(program (ambient_declaration [(lexical_declaration) (variable_declaration)] @variables))
(program (export_statement (ambient_declaration [(lexical_declaration) (variable_declaration)] @variables)))
(internal_module body: (statement_block [(lexical_declaration) (variable_declaration)] @variables))
(internal_module body: (statement_block
  (export_statement declaration: [(lexical_declaration) (variable_declaration)] @variables)))
(module body: (statement_block [(lexical_declaration) (variable_declaration)] @variables))
(module body: (statement_block
  (export_statement declaration: [(lexical_declaration) (variable_declaration)] @variables)))
(ambient_declaration (statement_block [(lexical_declaration) (variable_declaration)] @variables))

; scopes
[(function_declaration) (generator_function_declaration) (function_expression) (generator_function) (method_definition)
 (arrow_function) (function_signature) (method_signature) (abstract_method_signature) (function_type)
 (constructor_type) (call_signature) (construct_signature)] @function
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body) (class_declaration) (class)
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
(variable_declaration (variable_declarator) @hoisted)
(variable_declaration (variable_declarator name: [(array_pattern) (object_pattern)] @hoisted))
(for_in_statement kind: "var" left: (_) @hoisted)

; what a use is for
(new_expression constructor: (_) @new)
(extends_clause value: (_) @base)
(implements_clause (_) @base)
(extends_type_clause type: (_) @base)
(decorator (_) @decorator)
(type_query (_) @typed)
(nested_type_identifier) @typed
(call_expression function: [(identifier) (member_expression)] @called type_arguments: (_))
(decorator) @decoration

[(ERROR) (MISSING)] @error
