; What the reader asks of a file, in one traversal. Each capture is a single node, since the reader works on places in
; the text. Patterns begin at nodes that are small or rare: one that begins at a container costs at every node in it.

; uses of names, and what stands in place of one
[(identifier) (shorthand_property_identifier)] @name
[(this) (super)] @this

; statements that the reader takes apart
(import_statement) @import
(export_statement) @export
(import) @loading
(meta_property) @meta

; definitions
[(function_declaration) (generator_function_declaration) (class_declaration) (method_definition) (field_definition)
 (assignment_expression)] @definition
(variable_declarator) @declarator
(function_expression name: (_)) @expression
(generator_function name: (_)) @expression
(class name: (_)) @expression

; scopes
[(function_declaration) (generator_function_declaration) (method_definition)] @function
[(function_expression) (generator_function)] @closure
(arrow_function) @arrow
(class) @class
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body) (class_declaration)] @block
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
(variable_declaration) @hoisted
(for_in_statement kind: "var" left: (_) @hoisted)

; what a use is for
(new_expression constructor: (_) @new)
(class_heritage (_) @base)
(decorator (_) @decorator)
(jsx_opening_element name: (_) @jsx)
(jsx_self_closing_element name: (_) @jsx)
(jsx_closing_element name: (_) @closing)
(decorator) @decoration
