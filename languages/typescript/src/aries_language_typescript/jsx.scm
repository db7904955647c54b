; What a file of the dialect with JSX is asked beside the rest.
(jsx_opening_element name: (_) @jsx)
(jsx_self_closing_element name: (_) @jsx)
(jsx_closing_element name: (_) @closing)
