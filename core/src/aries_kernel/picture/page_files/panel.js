// What is said about one node: the tip under the pointer, the panel of the chosen one.
const panel = document.getElementById("panel"), tip = document.getElementById("tip");
const ZONES = data.zones, WORDS = data.words;
const zone = (share) => ZONES.find(([floor]) => share >= floor)[1];
const SHOWN = 60;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) { made.textContent = text; made.dir = "auto"; }
  if (className) made.className = className;
  return made;
}

function dot(fill) {
  const made = element("span", undefined, "dot");
  made.style.background = fill;
  return made;
}

function listed(heading, nodes) {
  const made = document.createDocumentFragment();
  made.append(element("h2", `${heading} (${nodes.length})`));
  const list = element("ul");
  const add = (some) => some.forEach((i) => {
    const item = element("li"), button = element("button");
    button.type = "button";
    button.append(dot(colour(i)), element("span", nameOf(i), "name"));
    button.onclick = () => select(i, true);
    button.onmouseenter = button.onfocus = () => { scene.hovered = i; redraw(); };
    button.onmouseleave = button.onblur = () => { scene.hovered = -1; redraw(); };
    item.append(button);
    list.append(item);
  });
  const ordered = [...nodes].sort((a, b) => scene.size[b] - scene.size[a] || a - b);
  add(ordered.slice(0, SHOWN));
  made.append(list);
  if (ordered.length > SHOWN) {
    const more = element("button", `Show all ${ordered.length}`, "more");
    more.type = "button";
    more.onclick = () => { add(ordered.slice(SHOWN)); more.remove(); };
    made.append(more);
  }
  return made;
}

function facts(i) {
  const list = element("dl");
  const group = data.groups[i], share = data.figures[i];
  const rows = [
    ["Type", data.kinds[i]],
    ["Community", group >= 0 ? data.communities[group].name : `none: ${WORDS.none}`],
    [WORDS.figure, share >= 0 ? `${Math.round(share * 100)} % (${zone(share)})` : ""],
  ];
  for (const [name, value] of rows) if (value) list.append(element("dt", name), element("dd", value));
  return list;
}

function showPanel(i) {
  panel.hidden = i < 0;
  if (i < 0) return;
  const close = element("button", "\u00d7", "close");
  close.type = "button";
  close.ariaLabel = "Close";
  close.onclick = () => { select(-1); topCanvas.focus(); };
  panel.replaceChildren(close, element("h1", nameOf(i)), element("p", data.paths[i], "path"), facts(i));
  panel.append(listed(WORDS.out, scene.out[i]), listed(WORDS.in, scene.in[i]));
  if (scene.near[i].length) panel.append(listed(WORDS.near, scene.near[i]));
  panel.scrollTop = 0;
}

function showTip(i, px, py) {
  tip.hidden = i < 0;
  topCanvas.classList.toggle("over", i >= 0);
  if (i < 0) return;
  const around = [...neighbours(i)].sort((a, b) => scene.size[b] - scene.size[a]);
  const named = around.slice(0, 4).map((n) => shortTitle(n)).join(", ");
  const rest = around.length > 4 ? ` and ${around.length - 4} more` : "";
  tip.replaceChildren(element("b", nameOf(i)), element("span", around.length ? named + rest : WORDS.none));
  tip.style.left = `${Math.max(4, Math.min(px + 14, camera.width - tip.offsetWidth - 8))}px`;
  tip.style.top = `${Math.max(4, Math.min(py + 14, camera.height - tip.offsetHeight - 8))}px`;
}

function key(fill, name, number, action) {
  const made = element(action ? "button" : "div", undefined, "key");
  made.append(dot(fill), element("span", name, "name"), element("span", number.toLocaleString("en"), "number"));
  if (action) { made.type = "button"; made.ariaPressed = "false"; made.onclick = () => action(made); }
  return made;
}

function showLegend() {
  const keys = document.getElementById("keys");
  const ties = data.ties.length / 2;
  document.getElementById("counts").textContent = `${COUNT.toLocaleString("en")} ${COUNT === 1 ? WORDS.one : WORDS.many}, ${ties.toLocaleString("en")} ${ties === 1 ? WORDS.tie : WORDS.ties}`;
  keys.replaceChildren();
  if (scene.mode === "figure") return showScale(keys);
  const shown = palette().groups.length;
  data.communities.slice(0, shown).forEach((group, id) => {
    keys.append(key(groupColour(id), group.name, group.size, (made) => pointOut(made, (i) => data.groups[i] === id)));
  });
  const others = data.groups.filter((group) => group >= shown).length, alone = data.groups.filter((group) => group < 0).length;
  if (others) keys.append(key(palette().other, `${data.communities.length - shown} smaller ones`, others, (made) => pointOut(made, (i) => data.groups[i] >= shown)));
  if (alone) keys.append(key(palette().other, WORDS.alone, alone, (made) => pointOut(made, (i) => data.groups[i] < 0)));
}

function showScale(keys) {
  const scale = element("canvas");
  scale.id = "scale";
  scale.width = 200; scale.height = 1;
  const ink = scale.getContext("2d");
  for (let x = 0; x < 200; x++) { ink.fillStyle = figureColour(x / 199); ink.fillRect(x, 0, 1, 1); }
  const ends = element("div", undefined, "ends");
  ends.append(element("span", WORDS.low), element("span", WORDS.high));
  keys.append(scale, ends);
  ZONES.forEach(([floor, name], n) => {
    const ceiling = n ? ZONES[n - 1][0] : 2;
    const isIn = (i) => data.figures[i] >= floor && data.figures[i] < ceiling;
    const number = data.figures.filter((_, i) => isIn(i)).length;
    if (number) keys.append(key(figureColour(Math.min(1, floor + 0.1)), name, number, (made) => pointOut(made, isIn)));
  });
}

function pointOut(made, isIn) {
  const wasOn = made.ariaPressed === "true";
  for (const other of document.querySelectorAll("#keys .key")) other.ariaPressed = "false";
  if (scene.selected >= 0) select(-1);
  if (wasOn) { scene.found = null; return go(everything()); }
  made.ariaPressed = "true";
  const members = byDegree.filter(isIn);
  scene.found = new Set(members);
  go(view(members, 1.8));
}
