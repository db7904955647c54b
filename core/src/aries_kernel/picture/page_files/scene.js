// The data, who is tied to whom, and the camera.
const data = JSON.parse(document.getElementById("data").textContent);
const COUNT = data.titles.length;
const scene = {
  x: new Float32Array(COUNT), y: new Float32Array(COUNT), size: Float32Array.from(data.sizes),
  out: [], in: [], near: [],
  mode: "community",
  selected: -1, hovered: -1,
  found: null, // A Set of nodes that the search or the legend points out.
};
for (let i = 0; i < COUNT; i++) {
  scene.x[i] = data.places[2 * i];
  scene.y[i] = data.places[2 * i + 1];
  scene.out.push([]); scene.in.push([]); scene.near.push([]);
}
for (let e = 0; e < data.ties.length; e += 2) {
  scene.out[data.ties[e]].push(data.ties[e + 1]);
  scene.in[data.ties[e + 1]].push(data.ties[e]);
}
for (let e = 0; e < data.hints.length; e += 2) {
  scene.near[data.hints[e]].push(data.hints[e + 1]);
  scene.near[data.hints[e + 1]].push(data.hints[e]);
}
const byDegree = Array.from({ length: COUNT }, (_, i) => i).sort((a, b) => scene.size[b] - scene.size[a] || a - b);
const neighbours = (i) => new Set([...scene.out[i], ...scene.in[i]]);
const colour = (i) => (scene.mode === "figure" ? figureColour(data.figures[i]) : groupColour(data.groups[i]));

const camera = { x: 0, y: 0, k: 1, to: null, width: 1, height: 1, fitted: 1 };
const screenX = (x) => (x - camera.x) * camera.k + camera.width / 2;
const screenY = (y) => (y - camera.y) * camera.k + camera.height / 2;
const radius = (i, k = camera.k) => Math.max(1.1, scene.size[i] * Math.pow(k, 0.62));
const MOST_ZOOM = 12;

function bounds(members) {
  let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
  for (const i of members) {
    left = Math.min(left, scene.x[i]); right = Math.max(right, scene.x[i]);
    top = Math.min(top, scene.y[i]); bottom = Math.max(bottom, scene.y[i]);
  }
  return { left, right, top, bottom };
}

// The camera from which all members are in view.
function view(members, most) {
  if (!members.length) return { x: 0, y: 0, k: 1 };
  const { left, right, top, bottom } = bounds(members);
  const margin = Math.min(60, camera.width * 0.06);
  const k = Math.min(most, (camera.width - 2 * margin) / (right - left + 1), (camera.height - 2 * margin) / (bottom - top + 1));
  return { x: (left + right) / 2, y: (top + bottom) / 2, k: Math.max(1e-3, k) };
}
const everything = () => view(byDegree, COUNT < 60 ? 3 : 1.8);
// Half of a surrogate pair (from a file name that is no text) cannot stand in an address.
const addressOf = (i) => data.paths[i].replace(/\p{Surrogate}/gu, "\ufffd");
const nameOf = (i) => data.titles[i].trim() || data.paths[i];

function go(target, isAtOnce) {
  const k = Math.min(MOST_ZOOM, Math.max(camera.fitted * 0.4, target.k));
  if (isAtOnce || matchMedia("(prefers-reduced-motion: reduce)").matches) {
    Object.assign(camera, { x: target.x, y: target.y, k, to: null });
  } else {
    camera.to = { x: target.x, y: target.y, k };
  }
  redraw();
}

// Zoom around a point of the window, from where the camera is heading.
function zoomBy(factor, px = camera.width / 2, py = camera.height / 2, isAtOnce = false) {
  const from = camera.to || camera;
  const k = Math.min(MOST_ZOOM, Math.max(camera.fitted * 0.4, from.k * factor));
  const dx = px - camera.width / 2, dy = py - camera.height / 2;
  go({ x: from.x + dx / from.k - dx / k, y: from.y + dy / from.k - dy / k, k }, isAtOnce);
}

// One frame of the way to where the camera is heading; false once it has arrived.
function glide() {
  const { to } = camera;
  if (!to) return false;
  const share = 0.22;
  camera.k *= Math.pow(to.k / camera.k, share);
  camera.x += (to.x - camera.x) * share;
  camera.y += (to.y - camera.y) * share;
  const isThere = Math.abs(Math.log(to.k / camera.k)) < 0.002
    && Math.hypot(to.x - camera.x, to.y - camera.y) * camera.k < 0.3;
  if (isThere) Object.assign(camera, to, { to: null });
  return true;
}

function nodeAt(px, py) {
  let best = -1, least = Infinity;
  for (let i = 0; i < COUNT; i++) {
    const dx = screenX(scene.x[i]) - px, dy = screenY(scene.y[i]) - py;
    const distance = Math.hypot(dx, dy) - radius(i);
    if (distance < 6 && distance < least) { best = i; least = distance; }
  }
  return best;
}
