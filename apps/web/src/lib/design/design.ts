import { site, type ReplyOf } from "@metrum/contract/core";
import { request } from "#lib/call";

export type Design = ReplyOf<typeof site.design>;
type Tones = NonNullable<Design["accent"]>["light"];

/** Branding of a host without its own, and of every host before the server has answered. */
export const plainDesign: Design = {
  title: "Metrum",
  logo_cloud: null,
  logo_cloud_en: null,
  logo_auth: null,
  linkToHelp: null,
  stylesheet: null,
  favicon: null,
  script: null,
  accent: null,
  is_default: true,
  demo: null,
};

let current = plainDesign;
let loading: Promise<Design> | undefined;
const listeners = new Set<() => void>();

/** Branding of this host: requested once per page, and applied. A failure delays nothing. */
export function loadDesign(): Promise<Design> {
  loading ??= request(site.design, {}).then(
    ({ data }) => {
      useHere(data);
      return data;
    },
    () => {
      loading = undefined;
      return current;
    },
  );
  return loading;
}

export const design = {
  get: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** A document title: the given text followed by the product name. */
export function pageTitle(...parts: readonly string[]): string {
  return [...parts.filter((each) => each !== ""), current.title].join(" · ");
}

function useHere(given: Design): void {
  const before = current;
  current = given;
  if (document.title.endsWith(before.title))
    document.title = document.title.slice(0, -before.title.length) + given.title;
  if (given.favicon !== null) replaceIcon(given.favicon);
  if (given.accent !== null) paint(given.accent);
  if (given.stylesheet !== null) append("link", { rel: "stylesheet", href: given.stylesheet });
  if (given.script !== null) append("script", { src: given.script, defer: "" });
  for (const each of listeners) each();
}

function replaceIcon(href: string): void {
  for (const each of document.querySelectorAll("link[rel=icon]")) each.remove();
  append("link", { rel: "icon", href });
}

function append(tag: "link" | "script", attributes: Readonly<Record<string, string>>): void {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.head.append(element);
}

/**
 * A constructed style sheet instead of a style attribute: it has the tones of both themes, and the content
 * security policy allows it.
 */
function paint({ light, dark }: NonNullable<Design["accent"]>): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root{${tones(light)}}:root[data-theme="dark"]{${tones(dark)}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

export function tones({ accent, on_accent, selected }: Tones): string {
  return `--accent:${accent};--on-accent:${on_accent};--selected:${selected};`;
}
