// All ties and nodes, drawn by WebGL; by the plain canvas where there is none. What is pointed out goes on top.
const base = document.getElementById("base"), topCanvas = document.getElementById("top");
const pen = topCanvas.getContext("2d");
const gl = base.getContext("webgl2", { antialias: true, alpha: false });
const TIES = data.ties.length / 2;
const edgeStrength = Math.min(0.5, Math.max(0.05, 11 / Math.sqrt(TIES + 1)));

const CAMERA = "uniform vec2 middle, window; uniform float k;\n"
  + "vec2 clip(vec2 p) { return (p - middle) * k / window * 2.0 * vec2(1.0, -1.0); }\n";
const TIE_VERTEX = "#version 300 es\n" + CAMERA
  + "in vec2 place; in vec4 tint; out vec4 shade; void main() { shade = tint; gl_Position = vec4(clip(place), 0.0, 1.0); }";
const TIE_FRAGMENT = "#version 300 es\nprecision mediump float; in vec4 shade; uniform float strength; out vec4 result;\n"
  + "void main() { float a = shade.a * strength; result = vec4(shade.rgb * a, a); }";
const NODE_VERTEX = "#version 300 es\n" + CAMERA
  + "in vec2 corner, place; in float size; in vec4 tint; uniform float strength; out vec4 shade; out vec2 at; out float r;\n"
  + "void main() { r = max(1.1, size * pow(k, 0.62)); at = corner * (r + 1.0); shade = vec4(tint.rgb, strength);\n"
  + "gl_Position = vec4(clip(place) + at / window * 2.0, 0.0, 1.0); }";
const NODE_FRAGMENT = "#version 300 es\nprecision mediump float; in vec4 shade; in vec2 at; in float r;\n"
  + "uniform vec3 ground; out vec4 result;\n"
  + "void main() { float d = length(at); float a = clamp(r + 0.5 - d, 0.0, 1.0) * shade.a;\n"
  + "float rim = r > 3.0 ? clamp(d - r + 1.6, 0.0, 1.0) * 0.55 : 0.0;\n"
  + "result = vec4(mix(shade.rgb, ground, rim) * a, a); }";

function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

function attribute(made, name, array, size, isPerNode) {
  const where = gl.getAttribLocation(made, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(where);
  const isBytes = array instanceof Uint8Array;
  gl.vertexAttribPointer(where, size, isBytes ? gl.UNSIGNED_BYTE : gl.FLOAT, isBytes, 0, 0);
  if (isPerNode) gl.vertexAttribDivisor(where, 1);
}

let ready = null; // Programs and buffers for the colours of now.

// Long ties are fainter, ties across communities grey: what belongs together stays visible.
function tieTints(places) {
  const tints = new Uint8Array(TIES * 8);
  const colours = new Map();
  for (let e = 0; e < TIES; e++) {
    const a = data.ties[2 * e], b = data.ties[2 * e + 1];
    const name = scene.mode === "community" && data.groups[a] === data.groups[b] ? colour(a) : palette().edge;
    if (!colours.has(name)) colours.set(name, rgb(name));
    const [red, green, blue] = colours.get(name);
    const length = Math.hypot(scene.x[a] - scene.x[b], scene.y[a] - scene.y[b]);
    const alpha = 255 * Math.min(1, Math.pow(110 / (length + 1), 0.6));
    for (const [end, node] of [[0, a], [1, b]]) {
      places.set([scene.x[node], scene.y[node]], 4 * e + 2 * end);
      tints.set([red, green, blue, alpha], 8 * e + 4 * end);
    }
  }
  return tints;
}

function prepare() {
  if (!gl || gl.isContextLost()) return;
  if (ready) for (const made of ready.arrays) gl.deleteVertexArray(made);
  const ties = ready ? ready.ties : program(TIE_VERTEX, TIE_FRAGMENT);
  const nodes = ready ? ready.nodes : program(NODE_VERTEX, NODE_FRAGMENT);
  const tieArray = gl.createVertexArray(), nodeArray = gl.createVertexArray();
  gl.bindVertexArray(tieArray);
  const ends = new Float32Array(TIES * 4), tints = tieTints(ends);
  attribute(ties, "place", ends, 2, false);
  attribute(ties, "tint", tints, 4, false);
  gl.bindVertexArray(nodeArray);
  // Small nodes last: a hub must not cover them.
  const places = new Float32Array(COUNT * 2), sizes = new Float32Array(COUNT), shades = new Uint8Array(COUNT * 4);
  byDegree.forEach((node, i) => {
    places.set([scene.x[node], scene.y[node]], 2 * i);
    sizes[i] = scene.size[node];
    shades.set([...rgb(colour(node)), 255], 4 * i);
  });
  attribute(nodes, "corner", new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2, false);
  attribute(nodes, "place", places, 2, true);
  attribute(nodes, "size", sizes, 1, true);
  attribute(nodes, "tint", shades, 4, true);
  gl.bindVertexArray(null);
  ready = { ties, nodes, arrays: [tieArray, nodeArray] };
}

function drawBase(isDimmed) {
  const closeness = Math.min(3, Math.max(1, Math.pow(camera.k / camera.fitted, 0.5)));
  const tieStrength = edgeStrength * closeness * (isDimmed ? 0.25 : 1), nodeStrength = isDimmed ? 0.22 : 1;
  if (!gl || gl.isContextLost() || !ready) return drawPlainly(tieStrength, nodeStrength);
  const ground = rgb(palette().ground).map((value) => value / 255);
  gl.viewport(0, 0, base.width, base.height);
  gl.clearColor(...ground, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const [tieArray, nodeArray] = ready.arrays;
  for (const [made, array, strength] of [[ready.ties, tieArray, tieStrength], [ready.nodes, nodeArray, nodeStrength]]) {
    gl.useProgram(made);
    gl.bindVertexArray(array);
    gl.uniform2f(gl.getUniformLocation(made, "middle"), camera.x, camera.y);
    gl.uniform2f(gl.getUniformLocation(made, "window"), camera.width, camera.height);
    gl.uniform1f(gl.getUniformLocation(made, "k"), camera.k);
    gl.uniform1f(gl.getUniformLocation(made, "strength"), strength);
    if (made === ready.ties) gl.drawArrays(gl.LINES, 0, TIES * 2);
    else {
      gl.uniform3f(gl.getUniformLocation(made, "ground"), ...ground);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, COUNT);
    }
  }
  gl.bindVertexArray(null);
}

function drawPlainly(tieStrength, nodeStrength) {
  pen.globalAlpha = tieStrength;
  pen.strokeStyle = palette().edge;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let e = 0; e < TIES; e++) line(data.ties[2 * e], data.ties[2 * e + 1]);
  pen.stroke();
  pen.globalAlpha = nodeStrength;
  for (const i of byDegree) disc(i, colour(i));
  pen.globalAlpha = 1;
}

function line(a, b) {
  pen.moveTo(screenX(scene.x[a]), screenY(scene.y[a]));
  pen.lineTo(screenX(scene.x[b]), screenY(scene.y[b]));
}

function disc(i, fill, more = 0) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(screenX(scene.x[i]), screenY(scene.y[i]), radius(i) + more, 0, 7);
  pen.fill();
}

// The node under the pointer, or the chosen one, with all its ties.
function drawFocus(focus, around) {
  pen.lineWidth = 1.2;
  for (const other of around) {
    pen.strokeStyle = colour(other);
    pen.globalAlpha = around.size > 300 ? 0.35 : 0.75;
    pen.beginPath();
    line(focus, other);
    pen.stroke();
  }
  pen.strokeStyle = palette().faint;
  pen.globalAlpha = 0.6;
  pen.setLineDash([2, 5]);
  pen.beginPath();
  for (const other of scene.near[focus]) line(focus, other);
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
  for (const other of scene.near[focus]) disc(other, colour(other));
  for (const other of around) disc(other, colour(other));
  disc(focus, palette().ground, 5);
  disc(focus, palette().mark, 3);
  disc(focus, colour(focus), 0.5);
}
