; What a Python file is made of. Names are found in the text between these marks: a node for each identifier would cost
; more than parsing.

(class_definition) @class
(function_definition) @function
(decorated_definition) @decorated
(lambda) @lambda
[
  (list_comprehension)
  (set_comprehension)
  (dictionary_comprehension)
  (generator_expression)
] @comprehension

; Places where a name is bound.
(assignment left: (_) @assigned)
(type_alias_statement left: (type (identifier) @alias))
(type_alias_statement left: (type (generic_type . (identifier) @alias (type_parameter) @bound)))
(augmented_assignment left: (_) @bound)
(for_statement left: (_) @bound)
(for_in_clause left: (_) @bound)
(as_pattern_target) @bound
(delete_statement (_) @bound)
(case_pattern (dotted_name) @bound)
(splat_pattern (identifier) @bound)
(keyword_pattern (dotted_name) @bound)
(function_definition type_parameters: (type_parameter (type [
  (identifier) @bound
  (splat_type (identifier) @bound)
  (constrained_type . (type (identifier) @bound))
])))
(class_definition type_parameters: (type_parameter (type [
  (identifier) @bound
  (splat_type (identifier) @bound)
  (constrained_type . (type (identifier) @bound))
])))
(named_expression name: (_) @walrus)
[
  (global_statement)
  (nonlocal_statement)
] @outer

[
  (import_statement)
  (import_from_statement)
] @import
(future_import_statement) @future

(type) @type

; What is no code.
(comment) @comment
(string_content) @string
