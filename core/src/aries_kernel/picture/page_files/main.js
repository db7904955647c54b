// Putting it together: frames, pointer, keys, address.
let isWaiting = false;

function redraw() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(frame);
}

function frame() {
  isWaiting = false;
  const isMoving = glide();
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  pen.clearRect(0, 0, camera.width, camera.height);
  const focus = scene.hovered >= 0 ? scene.hovered : scene.selected;
  const around = focus >= 0 ? neighbours(focus) : new Set();
  drawBase(focus >= 0 || scene.found !== null);
  if (scene.found && focus < 0) for (const i of scene.found) disc(i, colour(i), scene.found.size < 200 ? 1.5 : 0);
  if (focus >= 0) drawFocus(focus, around);
  drawLabels(focus, around);
  document.documentElement.dataset.still = String(!isMoving);
  if (isMoving) redraw();
  else if (document.documentElement.dataset.state !== "ready") {
    document.documentElement.dataset.state = "ready";
    document.documentElement.dataset.milliseconds = String(Math.round(performance.now()));
  }
}

function resize() {
  const isFirst = camera.width === 1, wasAll = Math.abs(camera.k / camera.fitted - 1) < 0.01;
  camera.width = innerWidth;
  camera.height = innerHeight;
  for (const canvas of [base, topCanvas]) {
    canvas.width = Math.round(innerWidth * devicePixelRatio);
    canvas.height = Math.round(innerHeight * devicePixelRatio);
  }
  camera.fitted = everything().k;
  if (isFirst || wasAll) go(everything(), true);
  redraw();
}

function select(i, isCentred) {
  scene.selected = i;
  scene.hovered = -1;
  if (i >= 0) scene.found = null;
  showPanel(i);
  showTip(-1);
  document.documentElement.dataset.selected = i >= 0 ? data.paths[i] : "";
  history.replaceState(null, "", i >= 0 ? `#node=${encodeURIComponent(addressOf(i))}` : "#");
  if (i >= 0 && isCentred) go({ x: scene.x[i], y: scene.y[i], k: closeEnough(i) });
  redraw();
}

// So near that titles can be read, and so far that most of the node's neighbours are in view where that is possible.
function closeEnough(i) {
  const near = Math.max(camera.fitted * 2.5, 0.7);
  const ways = [...neighbours(i)].map((n) => Math.hypot(scene.x[n] - scene.x[i], scene.y[n] - scene.y[i]));
  if (!ways.length) return near;
  const room = Math.min(camera.width, camera.height) * 0.4;
  return Math.min(near, Math.max(camera.fitted * 1.3, room / (quantile(ways, 0.7) + 1)));
}

function colourBy(mode) {
  scene.mode = mode;
  document.getElementById("by-community").ariaPressed = String(mode === "community");
  document.getElementById("by-figure").ariaPressed = String(mode === "figure");
  scene.found = null;
  prepare();
  showLegend();
  if (scene.selected >= 0) showPanel(scene.selected);
  redraw();
}

const pointers = new Map();
let travelled = 0;
topCanvas.onpointerdown = (event) => {
  topCanvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  if (pointers.size === 1) travelled = 0;
  topCanvas.classList.add("held");
};
topCanvas.onpointermove = (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) return hover(event);
  const now = [event.clientX, event.clientY];
  const others = [...pointers].filter(([id]) => id !== event.pointerId);
  pointers.set(event.pointerId, now);
  const dx = now[0] - last[0], dy = now[1] - last[1];
  travelled += Math.abs(dx) + Math.abs(dy);
  camera.to = null;
  const share = others.length ? 2 : 1; // Two fingers move the middle between them by half each.
  camera.x -= dx / camera.k / share;
  camera.y -= dy / camera.k / share;
  if (others.length) {
    const [ox, oy] = others[0][1];
    const before = Math.hypot(last[0] - ox, last[1] - oy), after = Math.hypot(now[0] - ox, now[1] - oy);
    if (before > 0) zoomBy(after / before, (now[0] + ox) / 2, (now[1] + oy) / 2, true);
  }
  redraw();
};
topCanvas.onpointerup = topCanvas.onpointercancel = (event) => {
  const wasClick = pointers.delete(event.pointerId) && travelled < 5 && event.type === "pointerup" && !pointers.size;
  if (!pointers.size) topCanvas.classList.remove("held");
  if (!wasClick) return;
  const node = nodeAt(event.clientX, event.clientY);
  if (node >= 0) select(node, false);
  else if (scene.selected >= 0) select(-1);
  else if (scene.found) clearSearch();
};
topCanvas.onpointerleave = () => { if (scene.hovered >= 0) { scene.hovered = -1; redraw(); } showTip(-1); };
topCanvas.ondblclick = (event) => zoomBy(2, event.clientX, event.clientY);
topCanvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  zoomBy(Math.exp(Math.max(-240, Math.min(240, -event.deltaY * lines)) * 0.0022), event.clientX, event.clientY);
}, { passive: false });

function hover(event) {
  const node = nodeAt(event.clientX, event.clientY);
  showTip(node, event.clientX, event.clientY);
  if (node === scene.hovered) return;
  scene.hovered = node;
  redraw();
}

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (event) => {
  const isTyping = event.target === query;
  if (event.key === "Escape") {
    if (query.value || scene.found) clearSearch();
    else if (scene.selected >= 0) select(-1);
    else go(everything());
    topCanvas.focus();
  } else if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "/") { query.focus(); query.select(); }
  else if (event.key === "+" || event.key === "=") zoomBy(1.4);
  else if (event.key === "-") zoomBy(1 / 1.4);
  else if (event.key === "0") go(everything());
  else if (MOVES[event.key] && !panel.contains(event.target)) {
    const from = camera.to || camera, [dx, dy] = MOVES[event.key];
    go({ x: from.x + dx * 120 / from.k, y: from.y + dy * 120 / from.k, k: from.k });
  } else return;
  event.preventDefault();
});

function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
  if (wanted.has("search")) { query.value = wanted.get("search"); runSearch(true); }
  if (wanted.get("colour") === "figure") colourBy("figure");
  const node = wanted.has("node") ? byDegree.find((i) => addressOf(i) === wanted.get("node")) ?? -1 : -1;
  if (node >= 0 && node !== scene.selected) { select(node, true); if (camera.to) go(camera.to, true); }
}

document.getElementById("by-community").onclick = () => colourBy("community");
document.getElementById("by-figure").onclick = () => colourBy("figure");
document.getElementById("zoom-in").onclick = () => zoomBy(1.6);
document.getElementById("zoom-out").onclick = () => zoomBy(1 / 1.6);
document.getElementById("zoom-all").onclick = () => go(everything());
addEventListener("resize", resize);
addEventListener("hashchange", followAddress);
isLight.addEventListener("change", () => colourBy(scene.mode));
base.addEventListener("webglcontextlost", (event) => { event.preventDefault(); ready = null; redraw(); });
base.addEventListener("webglcontextrestored", () => { prepare(); redraw(); });

if (innerWidth < 640) document.getElementById("legend").open = false;
if (!COUNT) {
  const message = document.getElementById("message");
  message.hidden = false;
  message.textContent = data.words.empty;
}
prepare();
showLegend();
resize();
followAddress();
