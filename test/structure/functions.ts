import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../src/package.js'

/**
 * One function of a source file: declaration, method, accessor, arrow. Lines from its first word to its last bracket. Of a
 * `describe` only those that no function inside it has: its tests, hooks and helpers count by themselves.
 */
export interface FunctionSize {
  readonly path: string
  readonly name: string
  readonly lines: number
}

export function functionSizes(path: string, text?: string): FunctionSize[] {
  const source = parse(path, text)
  return functionsIn(source).map((node) => {
    const lines = isDescribe(node) ? ownLines(source, node) : linesOf(source, node)
    return { path, name: nameOf(node), lines: lines.length }
  })
}

/**
 * Writes of functions to variables of a function (or file) around them: assignments, `++`, and calls that change an array.
 * Each as `path:line name`.
 */
export function outerWrites(path: string, text?: string): string[] {
  const source = parse(path, text)
  return functionsIn(source).flatMap((node) => {
    const outer = scopesAround(node)
    return writesOf(node)
      .filter(({ text: name }) => !declaredIn(node).has(name) && outer.some((names) => names.has(name)))
      .map((name) => `${path}:${lineOf(source, name)} ${name.text}`)
  })
}

/** Spreads of an object or a list that stands there itself, each as `path:line`. */
export function packedMembers(path: string, text = textOf(path)): string[] {
  // Few files have one: the others need not be parsed.
  if (!/\.\.\.\s*[[{]/.test(text)) return []
  const source = parse(path, text)
  return descendants(source, () => true)
    .filter(
      (node) =>
        (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) ||
        (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)),
    )
    .map((node) => `${path}:${lineOf(source, node)}`)
}

const GROWING: readonly string[] = ['push', 'unshift', 'splice', 'pop', 'shift']

function textOf(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8')
}

function parse(path: string, text = textOf(path)): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
}

function functionsIn(source: ts.SourceFile): ts.SignatureDeclaration[] {
  return descendants(source, () => true).filter(isFunctionWithBody)
}

function isFunctionWithBody(node: ts.Node): node is ts.SignatureDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function isDescribe(node: ts.Node): boolean {
  return /^describe\b/.test(calleeOf(node))
}

function ownLines(source: ts.SourceFile, node: ts.Node): number[] {
  const inner = nodesOf(node).filter(isFunctionWithBody)
  const others = new Set(inner.flatMap((each) => linesOf(source, each)))
  return linesOf(source, node).filter((line) => !others.has(line))
}

function linesOf(source: ts.SourceFile, node: ts.Node): number[] {
  const first = lineOf(source, node)
  const last = source.getLineAndCharacterOfPosition(node.getEnd()).line + 1
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** What a function is handed to, as `describe` or `test.each([…])`. */
function calleeOf({ parent }: ts.Node): string {
  return ts.isCallExpression(parent) ? parent.expression.getText() : ''
}

/** All nodes below; `enter` says whether to go on below a node. */
function descendants(node: ts.Node, enter: (node: ts.Node) => boolean): ts.Node[] {
  const nodes: ts.Node[] = []
  const queue: ts.Node[] = [node]
  for (let next = queue.pop(); next; next = queue.pop()) {
    ts.forEachChild(next, (child) => {
      nodes.push(child)
      if (enter(child)) queue.push(child)
    })
  }
  return nodes
}

function nodesOf(node: ts.Node): ts.Node[] {
  return descendants(node, (each) => !isFunctionWithBody(each))
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText()
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  const { parent } = node
  if ((ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) && parent.name) {
    return parent.name.getText()
  }
  const title = ts.isCallExpression(parent) && parent.arguments[0]
  if (title && ts.isStringLiteralLike(title)) return `${calleeOf(node).split(/\W/)[0]} '${title.text}'`
  return 'anonymous'
}

/** Names of variables and parameters of a function, or of a file; without those of functions inside it. */
function declaredIn(scope: ts.Node): Set<string> {
  return new Set(
    nodesOf(scope)
      .filter((node) => ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node))
      .map(({ name }) => name)
      .filter(ts.isIdentifier)
      .map(({ text }) => text),
  )
}

function scopesAround(node: ts.Node): Set<string>[] {
  const scopes: Set<string>[] = []
  for (let { parent } = node; parent; parent = parent.parent) {
    if (isFunctionWithBody(parent) || ts.isSourceFile(parent)) scopes.push(declaredIn(parent))
  }
  return scopes
}

/** Identifiers that a function itself assigns to or grows. */
function writesOf(node: ts.Node): ts.Identifier[] {
  return nodesOf(node).flatMap((each) => {
    const target = targetOf(each)
    return target && ts.isIdentifier(target) ? [target] : []
  })
}

function targetOf(node: ts.Node): ts.Node | undefined {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return node.left
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind
    return node.operator === PlusPlusToken || node.operator === MinusMinusToken ? node.operand : undefined
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const { expression, name } = node.expression
  return GROWING.includes(name.text) ? expression : undefined
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
}
