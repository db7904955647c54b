// The search box: what begins with the words first, then what contains them all; accents and case do not matter.
const query = document.getElementById("query"), results = document.getElementById("results");
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
let foldedTitles = null, shown = [], active = -1;

function search(text) {
  const wanted = folded(text.trim());
  if (!wanted) return null;
  foldedTitles ??= data.titles.map((_, i) => folded(nameOf(i)));
  const words = wanted.split(/\s+/);
  const grade = (title) => (title === wanted ? 0 : title.startsWith(wanted) ? 1 : 2);
  const found = byDegree.filter((i) => words.every((word) => foldedTitles[i].includes(word)));
  return found.sort((a, b) => grade(foldedTitles[a]) - grade(foldedTitles[b]));
}

function showResults(found) {
  results.hidden = found === null;
  query.ariaExpanded = String(found !== null);
  results.replaceChildren();
  query.removeAttribute("aria-activedescendant");
  shown = (found || []).slice(0, 50);
  active = -1;
  if (found && !found.length) results.append(element("li", data.words.nothing, "none"));
  shown.forEach((i, n) => {
    const item = element("li", nameOf(i));
    item.id = `result-${n}`;
    item.role = "option";
    item.title = data.paths[i];
    item.ariaSelected = "false";
    item.onpointerdown = (event) => { event.preventDefault(); choose(n); };
    results.append(item);
  });
}

function activate(n) {
  if (!shown.length) return;
  if (active >= 0) results.children[active].ariaSelected = "false";
  active = (n + shown.length) % shown.length;
  const item = results.children[active];
  item.ariaSelected = "true";
  item.scrollIntoView({ block: "nearest" });
  query.setAttribute("aria-activedescendant", item.id);
  scene.hovered = shown[active];
  redraw();
}

function choose(n) {
  if (n < 0 || n >= shown.length) return;
  const node = shown[n];
  showResults(null);
  scene.found = null;
  select(node, true);
}

// Point out all that is found and bring the best into the middle.
function runSearch(isAtOnce) {
  const found = search(query.value);
  if (scene.selected >= 0 && found) select(-1);
  showResults(found);
  scene.hovered = -1;
  scene.found = found && found.length ? new Set(found) : null;
  document.documentElement.dataset.found = found ? String(found.length) : "";
  if (scene.found) go({ x: scene.x[found[0]], y: scene.y[found[0]], k: Math.max(camera.fitted * 2.5, 0.6) }, isAtOnce);
  else redraw();
}

function clearSearch() {
  query.value = "";
  scene.found = null;
  scene.hovered = -1;
  showResults(null);
  document.documentElement.dataset.found = "";
  for (const other of document.querySelectorAll("#keys .key")) other.ariaPressed = "false";
  redraw();
}

query.oninput = () => runSearch(false);
query.onfocus = () => { if (query.value) showResults(search(query.value)); };
query.onblur = () => { results.hidden = true; query.ariaExpanded = "false"; };
query.onkeydown = (event) => {
  if (event.key === "ArrowDown") activate(active + 1);
  else if (event.key === "ArrowUp") activate(active < 0 ? -1 : active - 1);
  else if (event.key === "Enter") choose(active < 0 ? 0 : active);
  else return;
  event.preventDefault();
};
