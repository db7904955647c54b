"""Vue, Svelte and Astro components for the code graph of aries."""
