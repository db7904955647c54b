// What madge and dependency-cruiser say of a tree: which file imports which, as JSON on standard output.
//
//     node peers.mjs madge|dependency-cruiser ROOT [TSCONFIG]
import { createRequire } from "node:module"
import { readFileSync, realpathSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"

const [tool, given, tsConfig] = process.argv.slice(2)
const root = realpathSync(given)
const from = createRequire(path.join(process.cwd(), "package.json"))
const extensions = ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"]

async function madge() {
  const tree = await from("madge")(root, {
    fileExtensions: extensions,
    tsConfig,
    detectiveOptions: { ts: { skipTypeImports: false, mixedImports: true }, es6: { mixedImports: true } },
  })
  return Object.entries(tree.obj()).flatMap(([file, targets]) => targets.map((target) => [file, target]))
}

// The package has exports for `import` only, so it is found by hand in the folder that npm filled.
async function part(subpath) {
  const folder = path.join(process.cwd(), "node_modules", "dependency-cruiser")
  let target = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")).exports[subpath]
  while (typeof target !== "string") target = Array.isArray(target) ? target[0] : (target.import ?? target.default)
  return import(pathToFileURL(path.join(folder, target)).href)
}

async function cruiser() {
  const { cruise } = await part(".")
  const extract = tsConfig ? (await part("./config-utl/extract-ts-config")).default : undefined
  const settings = {
    baseDir: root,
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules" },
    ...(tsConfig ? { ruleSet: { options: { tsConfig: { fileName: tsConfig } } } } : {}),
  }
  const resolving = { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default", "types"] }
  const { output } = await cruise(["."], settings, resolving, extract ? { tsConfig: extract(tsConfig) } : undefined)
  return output.modules.flatMap((module) =>
    module.dependencies.filter((one) => !one.couldNotResolve && !one.coreModule).map((one) => [module.source, one.resolved]),
  )
}

const edges = await (tool === "madge" ? madge() : cruiser())
process.stdout.write(JSON.stringify(edges))
