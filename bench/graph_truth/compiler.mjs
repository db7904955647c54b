// What the TypeScript compiler says of a tree: the file that each import leads to, and everything that is declared.
//
//     node compiler.mjs ROOT < list-of-files > facts.json
//
// Imports are resolved by `ts.resolveModuleName` with the options of the nearest tsconfig.json or jsconfig.json.
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"

const ts = createRequire(path.join(process.cwd(), "package.json"))("typescript")
const root = realpathSync(process.argv[2])
const files = readFileSync(0, "utf8").split("\n").filter(Boolean)
const known = new Set(files)
const relative = (name) => path.relative(root, name).split(path.sep).join("/")

const optionsByFolder = new Map()
function optionsOf(folder) {
  if (!optionsByFolder.has(folder)) {
    let up = folder
    let found
    while (!found && up.startsWith(root)) {
      found = ["tsconfig.json", "jsconfig.json"].map((name) => path.join(up, name)).find((name) => existsSync(name))
      if (up === path.dirname(up)) break
      up = path.dirname(up)
    }
    let options = {}
    if (found) {
      const { config } = ts.readConfigFile(found, ts.sys.readFile)
      options = ts.parseJsonConfigFileContent(config ?? {}, { ...ts.sys, readDirectory: () => [] }, path.dirname(found)).options
    }
    if (![ts.ModuleResolutionKind.Node16, ts.ModuleResolutionKind.NodeNext].includes(options.moduleResolution)) {
      options = { ...options, moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext }
    }
    optionsByFolder.set(folder, { ...options, allowJs: true, resolveJsonModule: true, noDtsResolution: false })
  }
  return optionsByFolder.get(folder)
}

function importsOf(source) {
  const found = []
  const add = (node, literal, kind) => {
    if (literal && ts.isStringLiteralLike(literal)) {
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, module: literal.text, kind })
    }
  }
  const waiting = [source]
  while (waiting.length) {
    const node = waiting.pop()
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, "import")
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, "reexport")
    else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      add(node, node.moduleReference.expression, "require")
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node, node.argument.literal, "type")
    else if (ts.isCallExpression(node)) {
      const callee = node.expression
      if (callee.kind === ts.SyntaxKind.ImportKeyword) add(node, node.arguments[0], "dynamic")
      else if (ts.isIdentifier(callee) && callee.text === "require") add(node, node.arguments[0], "require")
      else if (callee.getText(source) === "require.resolve") add(node, node.arguments[0], "require")
    }
    ts.forEachChild(node, (child) => void waiting.push(child))
  }
  for (const reference of source.referencedFiles) {
    found.push({ line: source.getLineAndCharacterOfPosition(reference.pos).line + 1, module: reference.fileName, kind: "path" })
  }
  return found
}

const isFunction = (node) =>
  node && (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node))
const bare = (node) => {
  while (node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression?.(node))) {
    node = node.expression
  }
  return node
}

// Everything that a reader would call a definition, as [name, line of the name, kind of node].
function definitionsOf(source) {
  const found = []
  const add = (name, node, kind) => {
    const at = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
    const text = ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : name.getText(source)
    found.push([text, at, kind])
  }
  const isTop = (node) => {
    let up = node.parent
    while (up && (ts.isVariableDeclarationList(up) || ts.isVariableStatement(up) || ts.isModuleBlock(up) || ts.isModuleDeclaration(up))) up = up.parent
    return up && ts.isSourceFile(up)
  }
  const names = (pattern, kind) => {
    for (const element of pattern.elements) {
      if (ts.isOmittedExpression(element)) continue
      if (ts.isIdentifier(element.name)) add(element.name, element, kind)
      else names(element.name, kind)
    }
  }
  const isRequire = (node) => {
    node = bare(node)
    if (node && ts.isAwaitExpression(node)) node = bare(node.expression)
    while (node && ts.isPropertyAccessExpression(node)) node = bare(node.expression)
    if (node && ts.isAwaitExpression(node)) node = bare(node.expression)
    return node && ts.isCallExpression(node) && (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText(source) === "require")
  }
  const taken = new Set()
  const waiting = [source]
  while (waiting.length) {
    const node = waiting.pop()
    const kind = ts.SyntaxKind[node.kind]
    if (
      (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node) || ts.isMethodDeclaration(node) ||
        ts.isPropertyDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node) || ts.isEnumMember(node)) && node.name
    ) {
      add(node.name, node, kind)
    } else if (ts.isModuleDeclaration(node) && !(node.flags & ts.NodeFlags.GlobalAugmentation)) {
      if (!ts.isModuleDeclaration(node.parent)) {
        let last = node
        while (last.body && ts.isModuleDeclaration(last.body)) last = last.body
        add(last.name, node, kind)
      }
    } else if ((ts.isMethodSignature(node) || ts.isPropertySignature(node)) &&
      (ts.isInterfaceDeclaration(node.parent) || ts.isTypeAliasDeclaration(node.parent.parent))) {
      add(node.name, node, kind)
    } else if (ts.isConstructorDeclaration(node)) {
      found.push(["constructor", source.getLineAndCharacterOfPosition(node.getStart(source, false)).line + 1, kind])
    } else if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) add(node.name, node, "ParameterProperty")
    else if (ts.isVariableDeclaration(node)) {
      const value = bare(node.initializer)
      if (isFunction(value)) {
        taken.add(value)
        if (ts.isIdentifier(node.name)) add(node.name, node, "FunctionVariable")
      } else if (isTop(node) && !isRequire(node.initializer)) {
        if (ts.isIdentifier(node.name)) add(node.name, node, "Variable")
        else names(node.name, "Variable")
      }
    } else if (ts.isPropertyAssignment(node) && isFunction(bare(node.initializer))) {
      taken.add(bare(node.initializer))
      add(node.name, node, "FunctionProperty")
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      let value = bare(node.right)
      while (value && ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) value = bare(value.right)
      if (isFunction(value) && (ts.isIdentifier(node.left) || ts.isPropertyAccessExpression(node.left))) {
        taken.add(value)
        if (node.left.getText(source) !== "module.exports") {
          add(ts.isIdentifier(node.left) ? node.left : node.left.name, node, "FunctionAssignment")
        }
      }
    } else if (ts.isExportAssignment(node) && !ts.isIdentifier(bare(node.expression))) {
      const value = bare(node.expression)
      if (isFunction(value)) taken.add(value)
      found.push([value.name?.text ?? "default", source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, kind])
    } else if ((ts.isFunctionExpression(node) || ts.isClassExpression(node)) && node.name && !taken.has(node)) {
      add(node.name, node, kind)
    }
    const children = []
    ts.forEachChild(node, (child) => void children.push(child))
    waiting.push(...children.reverse())
  }
  return found
}

const result = { edges: [], imports: [], symbols: {} }
for (const file of files) {
  const name = path.join(root, file)
  const kind = /\.[cm]?js$/.test(file) ? ts.ScriptKind.JSX : undefined
  const source = ts.createSourceFile(name, readFileSync(name, "utf8"), ts.ScriptTarget.Latest, true, kind)
  const options = optionsOf(path.dirname(name))
  for (const item of importsOf(source)) {
    let target
    if (item.kind === "path") target = path.resolve(path.dirname(name), item.module)
    else {
      const mode = item.kind === "require" ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext
      const answer = ts.resolveModuleName(item.module, name, options, ts.sys, undefined, undefined, mode).resolvedModule
      target = answer?.resolvedFileName
    }
    let to = target && existsSync(target) ? relative(realpathSync(target)) : undefined
    if (to !== undefined && !known.has(to)) to = undefined
    result.imports.push([file, item.line, item.module, item.kind, to ?? null])
  }
  result.symbols[file] = definitionsOf(source)
}
process.stdout.write(JSON.stringify(result))
