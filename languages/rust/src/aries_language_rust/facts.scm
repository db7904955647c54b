; Single nodes and short patterns only: each costs what walking past the node costs.

[(function_item) (function_signature_item)] @function
[(struct_item) (union_item)] @struct
(enum_item) @enum
(enum_variant) @variant
(field_declaration) @field
(trait_item) @trait
(impl_item) @impl
(mod_item) @module
[(type_item) (associated_type)] @type
(const_item) @constant
(static_item) @static
(macro_definition) @macro
(attribute_item) @attribute
(use_declaration) @use
(extern_crate_declaration) @extern

; What opens a scope.
[
  (function_item) (function_signature_item) (closure_expression) (function_type) (block) (match_arm) (if_expression)
  (while_expression) (for_expression) (impl_item) (trait_item) (struct_item) (union_item) (enum_item) (type_item)
] @scope

; What declares a local name.
(parameter) @parameter
(closure_parameters) @closure
(let_declaration) @let
(let_condition) @condition
(match_pattern) @pattern
(for_expression) @for
[(type_parameter) (const_parameter)] @generic

; What names something. Paths are read from their first name on.
(identifier) @name
(type_identifier) @type.name
[(self) (super) (crate)] @name

; In what way.
(scoped_type_identifier) @type.path
(struct_expression name: (_) @new)
(impl_item trait: (_) @base)
(trait_item bounds: (trait_bounds (_) @base))
(attribute (_) @decorator)
(attribute_item (attribute (identifier) arguments: (token_tree (identifier) @decorator)))
