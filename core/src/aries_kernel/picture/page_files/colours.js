// Colours of communities and of figures, for a dark and for a light ground.
const PALETTES = {
  dark: {
    ground: "#11131a", text: "#e8eaf0", faint: "#9aa2b5", mark: "#ffd166", other: "#737c90", edge: "#8791a8",
    groups: ["#6ea8fe", "#f59e5b", "#72d58a", "#f2799a", "#b79cf7", "#46cdbf", "#e6cd5f", "#e58fdc",
             "#9fc64d", "#ff8f7a", "#59c3f0", "#cda77f"],
    figures: ["#33517d", "#5a5f9c", "#a5608f", "#e8736a", "#f9a44e", "#ffe27a"],
  },
  light: {
    ground: "#fafaf7", text: "#1d2330", faint: "#5d6578", mark: "#c2410c", other: "#9aa0ae", edge: "#6b7385",
    groups: ["#2563c9", "#c8610a", "#23833f", "#c2255c", "#7044c8", "#0b7f77", "#917300", "#ab3aa0",
             "#567d0c", "#c43c26", "#0a7ab0", "#84602f"],
    figures: ["#9db6d8", "#8d86c4", "#b0649f", "#d24a55", "#d8620f", "#9a3b00"],
  },
};
const isLight = matchMedia("(prefers-color-scheme: light)");
const palette = () => (isLight.matches ? PALETTES.light : PALETTES.dark);

function rgb(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function figureColour(share) {
  const steps = palette().figures;
  if (share < 0) return palette().other;
  const at = share * (steps.length - 1), low = Math.min(steps.length - 2, Math.floor(at));
  const from = rgb(steps[low]), to = rgb(steps[low + 1]);
  const mixed = from.map((value, i) => Math.round(value + (to[i] - value) * (at - low)));
  return "#" + mixed.map((value) => value.toString(16).padStart(2, "0")).join("");
}

function groupColour(group) {
  const { groups, other } = palette();
  return group >= 0 && group < groups.length ? groups[group] : other;
}
