// For each rule of .oxlintrc.json a program that breaks it.

/** Told in every program, so planted in one that has no types. */
export const inScripts: Readonly<Record<string, string>> = {
  "constructor-super": "class A {}\nexport class B extends A {\n  constructor() {}\n}",
  "for-direction": "for (let i = 0; i < 9; i--) console.log(i);",
  "getter-return": "export const a = { get b() {} };",
  "no-async-promise-executor": "export const a = new Promise(async () => {});",
  "no-case-declarations":
    "export function f(a) {\n  switch (a) {\n    case 1:\n      let b = 1;\n      return b;\n  }\n}",
  "no-class-assign": "class A {}\nA = 1;",
  "no-compare-neg-zero": "export const f = (a) => a === -0;",
  "no-cond-assign": "export const f = (a) => {\n  if ((a = 1), (a = 2)) return a;\n  while (a = 1) f();\n};",
  "no-const-assign": "export const a = 1;\na = 2;",
  "no-constant-binary-expression": "export const f = (a) => a + 1 ?? 2;",
  "no-constant-condition": "if (1) console.log(1);",
  "no-control-regex": "export const a = /\\x1f/;",
  "no-debugger": "debugger;",
  "no-delete-var": "var a = 1;\ndelete a;\nmodule.exports = a;",
  "no-dupe-class-members": "export class A {\n  a() {}\n  a() {}\n}",
  "no-dupe-else-if": "export const f = (a) => {\n  if (a) return 1;\n  else if (a) return 2;\n};",
  "no-dupe-keys": "export const a = { b: 1, b: 2 };",
  "no-duplicate-case":
    "export function f(a) {\n  switch (a) {\n    case 1:\n      return 1;\n    case 1:\n      return 2;\n  }\n}",
  "no-empty": "export const f = () => {\n  try {\n    f();\n  } catch {}\n};",
  "no-empty-character-class": "export const a = /a[]/;",
  "no-empty-pattern": "export const f = ({}) => 1;",
  "no-empty-static-block": "export class A {\n  static {}\n}",
  "no-ex-assign": "try {\n  console.log(1);\n} catch (e) {\n  e = 1;\n}",
  "no-extra-boolean-cast": "export const f = (a) => (!!a ? 1 : 2);",
  "no-fallthrough":
    "export function f(a) {\n  switch (a) {\n    case 1:\n      f(2);\n    case 2:\n      return 2;\n  }\n}",
  "no-func-assign": "function f() {}\nf = 1;",
  "no-global-assign": "Object = 1;",
  "no-import-assign": 'import a from "a";\na = 2;',
  "no-invalid-regexp": 'export const a = new RegExp("[");',
  "no-irregular-whitespace": "export const a = `\u00a0`;",
  "no-loss-of-precision": "export const a = 9007199254740993;",
  "no-misleading-character-class": "export const a = /[👍]/;",
  "no-new-native-nonconstructor": "export const a = new Symbol();",
  "no-nonoctal-decimal-escape": 'module.exports = "\\8";',
  "no-obj-calls": "export const a = Math();",
  "no-prototype-builtins": 'export const f = (a) => a.hasOwnProperty("b");',
  "no-redeclare": "var a = 1;\nvar a = 2;\nexport { a };",
  "no-regex-spaces": "export const a = /a  b/;",
  "no-self-assign": "export const f = (a) => {\n  a.b = a.b;\n};",
  "no-setter-return": "export const a = {\n  set b(c) {\n    return c;\n  },\n};",
  "no-shadow-restricted-names": "export const f = (undefined) => undefined;",
  "no-sparse-arrays": "export const a = [1, , 2];",
  "no-this-before-super":
    "class A {}\nexport class B extends A {\n  constructor() {\n    this.a = 1;\n    super();\n  }\n}",
  "no-unassigned-vars": "let a;\nexport const f = () => a;",
  "no-undef": "export const a = nobody;",
  "no-unexpected-multiline": "export const f = (a) => {\n  const b = a\n  (1).c();\n  return b;\n};",
  "no-unreachable": "export const f = () => {\n  return 1;\n  f();\n};",
  "no-unsafe-finally": "export const f = () => {\n  try {\n    f();\n  } finally {\n    return 1;\n  }\n};",
  "no-unsafe-negation": "export const f = (a, b) => !a in b;",
  "no-unsafe-optional-chaining": "export const f = (a) => (a?.b).c;",
  "no-unused-labels": "a: for (;;) break;",
  "no-unused-private-class-members": "export class A {\n  #a = 1;\n}",
  "no-unused-vars": "const a = 1;",
  "no-useless-assignment": "export const f = (g) => {\n  let a = 1;\n  g(a);\n  a = 2;\n};",
  "no-useless-backreference": "export const a = /\\1(a)/;",
  "no-useless-catch": "export const f = () => {\n  try {\n    f();\n  } catch (e) {\n    throw e;\n  }\n};",
  "no-useless-escape": 'export const a = "\\d";',
  "no-with": "with (module) console.log(1);",
  "preserve-caught-error":
    'export const f = () => {\n  try {\n    f();\n  } catch (e) {\n    throw new Error("a");\n  }\n};',
  "require-yield": "export function* f() {\n  return 1;\n}",
  "use-isnan": "export const f = (a) => a === NaN;",
  "valid-typeof": 'export const f = (a) => typeof a === "strnig";',
  "metrum/exports-by-name": 'export * from "a";',
};

/** Told in TypeScript only, by what is written. */
export const inTypeScript: Readonly<Record<string, string>> = {
  complexity: `export const f = (a: number) => ${"a ? 1 : ".repeat(15)}2;`,
  "max-lines": "export {};\n".repeat(501),
  "max-lines-per-function": `export function f() {\n${"  f();\n".repeat(79)}}`,
  "no-array-constructor": "export const a = new Array(1, 2);",
  "no-console": "console.log(1);",
  "no-restricted-imports": 'export { a } from "../../../a.ts";',
  "no-unused-expressions": "export const f = (a: boolean, b: () => void) => {\n  a && b();\n};",
  "no-useless-constructor": "export class A {\n  a = 1;\n  constructor() {}\n}",
  "no-var": "var a = 1;\nexport { a };",
  "prefer-const": "let a = 1;\nexport const f = () => a;",
  "prefer-rest-params": "export function f() {\n  return arguments[0];\n}",
  "prefer-spread": "export const f = (a: number[]) => Math.max.apply(Math, a);",
  "typescript/ban-ts-comment": "// @ts-ignore\nexport const a = 1;",
  "typescript/consistent-type-imports": 'import { A } from "./a.ts";\nexport const f = (a: A) => a;',
  "typescript/no-duplicate-enum-values": "export enum A {\n  b = 1,\n  c = 1,\n}",
  "typescript/no-dynamic-delete":
    "export const f = (a: Record<string, 1>, b: string) => {\n  delete a[b];\n};",
  "typescript/no-empty-object-type": "export interface A {}",
  "typescript/no-explicit-any": "export const a: any = 1;",
  "typescript/no-extra-non-null-assertion": "export const f = (a?: string) => a!!.length;",
  "typescript/no-extraneous-class": "export class A {\n  static a = 1;\n}",
  "typescript/no-invalid-void-type": "export const f = (a: void) => a;",
  "typescript/no-misused-new": "export interface A {\n  new (): A;\n}",
  "typescript/no-namespace": "export namespace A {\n  export const a = 1;\n}",
  "typescript/no-non-null-asserted-nullish-coalescing":
    'export const f = (a: { b?: string }) => a.b! ?? "b";',
  "typescript/no-non-null-asserted-optional-chain": "export const f = (a?: { b: 1 }) => a?.b!;",
  "typescript/no-non-null-assertion": "export const f = (a?: string) => a!.length;",
  "typescript/no-require-imports": 'import a = require("a");\nexport { a };',
  "typescript/no-this-alias": "export class A {\n  b() {\n    const self = this;\n    return self;\n  }\n}",
  "typescript/no-unnecessary-type-constraint": "export type A<T extends unknown> = T[];",
  "typescript/no-unsafe-declaration-merging":
    "export interface A {\n  a: 1;\n}\nexport class A {\n  b = 1;\n}",
  "typescript/no-unsafe-function-type": "export const f = (a: Function) => a;",
  "typescript/no-wrapper-object-types": "export const f = (a: String) => a;",
  "typescript/prefer-as-const": 'export const a = "b" as "b";',
  "typescript/prefer-literal-enum-member": "const b = 1;\nexport enum A {\n  a = b,\n}",
  "typescript/prefer-namespace-keyword": "declare module A {}",
  "typescript/triple-slash-reference": '/// <reference types="a" />\nexport {};',
  "typescript/unified-signatures": "export interface A {\n  a(b: string): void;\n  a(b: number): void;\n}",
  "metrum/environment-in-one-place": "export const a = process.env;",
  "metrum/no-hidden-state": "export const a: string[] = [];",
};

/** Told in what is shown. */
export const inScreens: Readonly<Record<string, string>> = {
  "metrum/text-is-translated": "export const A = () => <p>Hello</p>;",
  "metrum/effects-return-cleanups":
    "declare const a: { b(): void } | undefined;\ndeclare function useEffect(effect: () => unknown): void;\nexport const useA = () => {\n  useEffect(() => a?.b());\n};",
  "metrum/refs-outside-render":
    "declare function useRef(of: number): { current: number };\nexport const useA = (a: number) => {\n  const b = useRef(a);\n  b.current = a;\n  return b;\n};",
  "metrum/catch-lets-bugs-through": "export const f = (a: Promise<number>) => a.catch(() => undefined);",
  "react/rules-of-hooks":
    "declare function useA(): void;\nexport const useB = (a: boolean) => {\n  if (a) useA();\n};",
};

/** Told in TypeScript only, by the types. */
export const byTypes: Readonly<Record<string, string>> = {
  "typescript/await-thenable": "export const f = async (a: number) => {\n  await a;\n};",
  "typescript/no-array-delete": "export const f = (a: number[]) => {\n  delete a[0];\n};",
  "typescript/no-base-to-string": "export const f = (a: { b: 1 }) => String(a);",
  "typescript/no-confusing-void-expression":
    "export const f = (a: () => void) => {\n  const b = a();\n  return b;\n};",
  "typescript/no-deprecated": "/** @deprecated */\nconst a = () => 1;\nexport const f = () => a();",
  "typescript/no-duplicate-type-constituents": "export type A = string | string;",
  "typescript/no-floating-promises": "export const f = (a: Promise<void>) => {\n  a;\n};",
  "typescript/no-for-in-array":
    "export const f = (a: number[]) => {\n  for (const b in a) f([b.length]);\n};",
  "typescript/no-generated-empty-object-type": 'export type A = Omit<{ a: 1 }, "a">;',
  "typescript/no-implied-eval": 'setTimeout("a", 1);',
  "typescript/no-meaningless-void-operator": "export const f = (a: () => void) => {\n  void a();\n};",
  "typescript/no-misused-promises": "export const f = (a: Promise<boolean>) => (a ? 1 : 2);",
  "typescript/no-misused-spread": "export const f = (a: Map<string, 1>) => ({ ...a });",
  "typescript/no-mixed-enums": 'export enum A {\n  a = 1,\n  b = "b",\n}',
  "typescript/no-redundant-type-constituents": "export type A = unknown | string;",
  "typescript/no-unnecessary-boolean-literal-compare": "export const f = (a: boolean) => a === true;",
  "typescript/no-unnecessary-condition": "export const f = (a: object) => (a ? 1 : 2);",
  "typescript/no-unnecessary-template-expression": "export const f = (a: string) => `${a}`;",
  "typescript/no-unnecessary-type-arguments":
    "interface A<T = string> {\n  a: T;\n}\nexport const f = (a: A<string>) => a;",
  "typescript/no-unnecessary-type-assertion": "export const f = (a: string) => a as string;",
  "typescript/no-unnecessary-type-conversion": "export const f = (a: string) => String(a);",
  "typescript/no-unsafe-argument": 'export const f = (a: number): number => f(JSON.parse("1"));',
  "typescript/no-unsafe-assignment": 'export const a: number = JSON.parse("1");',
  "typescript/no-unsafe-call": 'export const f = () => {\n  JSON.parse("1")();\n};',
  "typescript/no-unsafe-enum-assignment": "enum A {\n  a = 1,\n}\nexport const a: A = 1;",
  "typescript/no-unsafe-enum-comparison": "enum A {\n  a = 1,\n}\nexport const f = (a: A) => a === 1;",
  "typescript/no-unsafe-member-access": 'export const f = (): unknown => JSON.parse("1").a;',
  "typescript/no-unsafe-return": 'export const f = (): number => JSON.parse("1");',
  "typescript/no-unsafe-unary-minus": "export const f = (a: string) => -a;",
  "typescript/no-useless-default-assignment":
    "export const f = (a: { b: number }) => {\n  const { b = 1 } = a;\n  return b;\n};",
  "typescript/only-throw-error": "export const f = () => {\n  throw 1;\n};",
  "typescript/prefer-promise-reject-errors": "export const f = () => Promise.reject(1);",
  "typescript/prefer-reduce-type-parameter":
    "export const f = (a: string[]) => a.reduce((b) => b, [] as number[]);",
  "typescript/prefer-return-this-type": "export class A {\n  a(): A {\n    return this;\n  }\n}",
  "typescript/related-getter-setter-pairs":
    "export interface A {\n  get a(): string;\n  set a(b: number);\n}",
  "typescript/require-await": "export const f = async () => 1;",
  "typescript/restrict-plus-operands": "export const f = (a: string, b: number) => a + b;",
  "typescript/restrict-template-expressions": "export const f = (a: object) => `a${a}`;",
  "typescript/return-await":
    "export const f = async (a: Promise<1>) => {\n  try {\n    return a;\n  } catch {\n    return 2;\n  }\n};",
  "typescript/switch-exhaustiveness-check":
    "export const f = (a: 1 | 2) => {\n  switch (a) {\n    case 1:\n      return 1;\n  }\n};",
  "typescript/unbound-method": "class A {\n  a() {\n    return this;\n  }\n}\nexport const f = new A().a;",
  "typescript/use-unknown-in-catch-callback-variable":
    "export const f = (a: Promise<1>) => a.catch((b) => [b]);",
};
