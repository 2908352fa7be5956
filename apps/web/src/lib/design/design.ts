import { site, type ReplyOf } from "@metrum/contract";
import { request } from "#lib/call";

export type Design = ReplyOf<typeof site.design>;
type Tones = NonNullable<Design["accent"]>["light"];

/** What a host without a design of its own shows, and every host while the server has not answered. */
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

/** The design of this host: asked once a page, and applied to it. Nobody is kept waiting by a failure. */
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

/** The name of the product at the end of a title, with what stands before it. */
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

/** A sheet made here, not a style attribute: it holds the tones of both themes, and the content policy allows it. */
function paint({ light, dark }: NonNullable<Design["accent"]>): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root{${tones(light)}}:root[data-theme="dark"]{${tones(dark)}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

export function tones({ accent, on_accent, selected }: Tones): string {
  return `--accent:${accent};--on-accent:${on_accent};--selected:${selected};`;
}
