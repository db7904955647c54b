; What the reader asks of a file. One traversal answers all of it; each capture is a single node, since the reader
; works on places in the text.

; uses of names, and what stands in place of one
[(identifier) (shorthand_property_identifier)] @name
(this) @this

; statements that the reader takes apart
(import_statement) @import
(export_statement) @export
(call_expression function: (import)) @loading
(call_expression function: (member_expression object: (meta_property))) @meta
(variable_declarator value: [(call_expression) (member_expression) (await_expression)]) @received

; definitions
[(function_declaration) (generator_function_declaration) (class_declaration) (method_definition) (field_definition)
 ] @definition
(variable_declarator value: [(function_expression) (generator_function) (arrow_function) (class)
  (parenthesized_expression)]) @definition
(pair value: [(function_expression) (generator_function) (arrow_function) (class) (object)
  (parenthesized_expression)]) @definition
(assignment_expression left: (member_expression)) @definition
(assignment_expression left: (identifier)
  right: [(function_expression) (generator_function) (arrow_function) (class)]) @definition
(function_expression name: (_)) @expression
(generator_function name: (_)) @expression
(class name: (_)) @expression

; variables of the file
(program [(lexical_declaration) (variable_declaration)] @variables)
(program (export_statement declaration: [(lexical_declaration) (variable_declaration)] @variables))

; scopes
[(function_declaration) (generator_function_declaration) (function_expression) (generator_function) (method_definition)
 (arrow_function)] @function
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body) (class_declaration) (class)] @block
(class_body) @body

; names that hide others
(variable_declarator name: (identifier) @local)
(formal_parameters (identifier) @local)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement kind: _ left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
; ... and do not, where a pattern only assigns
(assignment_expression left: [(array_pattern) (object_pattern)] @assigned)
(for_in_statement !kind left: [(array_pattern) (object_pattern)] @assigned)
; ... in the whole function
(variable_declaration (variable_declarator) @hoisted)
(variable_declaration (variable_declarator name: [(array_pattern) (object_pattern)] @hoisted))
(for_in_statement kind: "var" left: (_) @hoisted)

; what a use is for
(new_expression constructor: (_) @new)
(class_heritage (_) @base)
(decorator (_) @decorator)
(jsx_opening_element name: (_) @jsx)
(jsx_self_closing_element name: (_) @jsx)
(jsx_closing_element name: (_) @closing)
(decorator) @decoration

[(ERROR) (MISSING)] @error
