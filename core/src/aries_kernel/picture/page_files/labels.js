// Titles beside nodes: the most tied first, none over another; from afar the names of communities.
const FONT = getComputedStyle(document.documentElement).getPropertyValue("--font") || "sans-serif";
const cutTitles = new Array(COUNT);
const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

// Cut between what a reader takes for characters, not within an emoji.
function shortened(text, most) {
  if (text.length <= most) return text;
  const parts = segmenter ? Array.from(segmenter.segment(text.slice(0, most * 4)), (s) => s.segment) : Array.from(text.slice(0, most * 4));
  return parts.length <= most ? parts.join("") : parts.slice(0, most - 1).join("") + "\u2026";
}
function shortTitle(i) {
  return (cutTitles[i] ??= shortened(nameOf(i).replace(/\s+/g, " "), 36));
}

function Board(width, height) {
  const taken = [];
  return {
    // Controls lie over the picture: no label begins under one.
    block(control) {
      const { left, top, right, bottom } = control.getBoundingClientRect();
      if (right > left) taken.push([left - 4, top - 4, right + 4, bottom + 4]);
    },
    take(x, y, w, h) {
      if (x < 2 || y < 2 || x + w > width - 2 || y + h > height - 2) return false;
      for (const [a, b, c, d] of taken) if (x < c && x + w > a && y < d && y + h > b) return false;
      taken.push([x, y, x + w, y + h]);
      return true;
    },
  };
}

function write(text, x, y, fill, font, align) {
  pen.font = font;
  pen.textAlign = align;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 3.5;
  pen.strokeStyle = palette().ground;
  pen.globalAlpha = 0.85;
  pen.strokeText(text, x, y);
  pen.globalAlpha = 1;
  pen.fillStyle = fill;
  pen.fillText(text, x, y);
}

function label(board, i, fill, weight) {
  const x = screenX(scene.x[i]), y = screenY(scene.y[i]), r = radius(i);
  if (x < -200 || y < -20 || x > camera.width + 200 || y > camera.height + 20) return false;
  const size = Math.max(11, Math.min(16, 9 + r * 0.35)), font = `${weight} ${size}px ${FONT}`;
  pen.font = font;
  const width = pen.measureText(shortTitle(i)).width, height = size + 3;
  // Beside the node, under it, over it, on its other side: the first place that is free.
  const places = [[x + r + 4, y - height / 2], [x - width / 2, y + r + 2], [x - width / 2, y - r - height - 2], [x - r - 4 - width, y - height / 2]];
  for (const [left, top] of places) {
    if (!board.take(left - 2, top, width + 4, height)) continue;
    write(shortTitle(i), left, top + height / 2, fill, font, "left");
    return true;
  }
  return false;
}

const centres = data.communities.slice(0, 40).map(() => []);
for (let i = 0; i < COUNT; i++) if (data.groups[i] >= 0 && data.groups[i] < centres.length) centres[data.groups[i]].push(i);
const quantile = (values, share) => values.sort((a, b) => a - b)[Math.floor(values.length * share)];

function labelCommunities(board) {
  const most = camera.width < 640 ? 8 : 14;
  let count = 0;
  for (let group = 0; group < Math.min(centres.length, palette().groups.length) && count < most; group++) {
    if (centres[group].length < Math.max(4, COUNT * 0.006)) continue;
    const name = shortened(data.communities[group].name, camera.width < 640 ? 22 : 34);
    const size = Math.max(13, Math.min(21, 10 + Math.sqrt(data.communities[group].size) * 0.3));
    const font = `700 ${size}px ${FONT}`;
    pen.font = font;
    const width = pen.measureText(name).width;
    const x = screenX(quantile(centres[group].map((i) => scene.x[i]), 0.5));
    // In a small picture the name stands over its nodes, not on them.
    const y = screenY(quantile(centres[group].map((i) => scene.y[i]), COUNT < 1000 ? 0 : 0.5)) - (COUNT < 1000 ? size : 0);
    if (!board.take(x - width / 2 - 4, y - size / 2 - 3, width + 8, size + 6)) continue;
    write(name, x, y, scene.mode === "community" ? groupColour(group) : palette().text, font, "center");
    count++;
  }
}

function drawLabels(focus, around) {
  pen.direction = "ltr";
  const board = Board(camera.width, camera.height);
  for (const control of document.querySelectorAll("#search, #modes, #legend, #zoom, #panel")) board.block(control);
  const { text, faint, mark } = palette();
  if (focus >= 0) {
    label(board, focus, mark, 700);
    let left = 60;
    for (const i of byDegree) if (left && around.has(i) && label(board, i, text, 500)) left--;
    return;
  }
  if (scene.found) {
    let left = 80;
    for (const i of byDegree) if (left && scene.found.has(i) && label(board, i, text, 500)) left--;
    return;
  }
  const closeness = camera.k / camera.fitted;
  if (closeness < 2.2 && COUNT > 150) labelCommunities(board);
  // Nearer, smaller nodes get their titles.
  const least = COUNT <= 60 ? 0 : 5.5 / Math.pow(closeness, 0.55);
  let left = Math.min(160, Math.round(camera.width * camera.height / 9000)), tried = 0;
  for (const i of byDegree) {
    if (!left || tried > 1500 || (radius(i) < least && closeness < 30)) break;
    const x = screenX(scene.x[i]), y = screenY(scene.y[i]);
    if (x < 0 || y < 0 || x > camera.width || y > camera.height) continue;
    tried++;
    if (label(board, i, radius(i) > 8 ? text : faint, 500)) left--;
  }
}
