import type { Language, Text } from "@metrum/vocabulary";
import type { LetterKinds } from "./kinds.ts";

export interface Composed {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Writing {
  readonly kind: string;
  readonly language: Language;
  readonly params: Readonly<Record<string, string>>;
}

const footer: Text = {
  ru: "Письмо отправлено автоматически, отвечать на него не нужно.",
  en: "This letter was sent automatically; there is no need to answer it.",
  mn: "Энэ захидлыг автоматаар илгээсэн тул хариу бичих шаардлагагүй.",
};

/** Maximum length of a value inserted into a letter, links excepted. */
const longestValue = 150;

/**
 * Composes a letter in its language, as plain text and as simple HTML. Only the listed parameters are
 * substituted, without expressions; values are single lines, escaped in the HTML. Errors: Error for an
 * unknown kind (written by a newer process).
 */
export function compose(kinds: LetterKinds, { kind: name, language, params }: Writing): Composed {
  const kind = kinds.get(name);
  if (!kind) throw new Error(`no letter is of the kind ${name}`);
  const link = oneLine(params["link"] ?? "");
  const plain = (text: Text): string => fill(text[language], params, oneLine);
  const rich = (text: Text): string =>
    fill(escapeHtml(text[language]), params, (v) => escapeHtml(oneLine(v)));
  return {
    subject: plain(kind.subject),
    text: [...kind.body.map(plain), `${plain(kind.action)}:\n${link}`, `-- \n${footer[language]}`].join(
      "\n\n",
    ),
    html: page(language, [
      ...kind.body.map((each) => `<p style="margin:0 0 16px">${rich(each)}</p>`),
      `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="${button}">${rich(kind.action)}</a></p>`,
      `<p style="margin:0 0 24px;font-size:12px;color:#5b6864;word-break:break-all">${escapeHtml(link)}</p>`,
      `<p style="margin:0;font-size:12px;color:#5b6864">${escapeHtml(footer[language])}</p>`,
    ]),
  };
}

/** Mail clients support neither style sheets nor variables; the colours are those of the light theme. */
const button =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#0b6e69;color:#ffffff;text-decoration:none;font-weight:600";

function page(language: Language, parts: readonly string[]): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>`,
    `<body style="margin:0;padding:24px;background:#f2f5f4;color:#15201e;font:14px/20px sans-serif">`,
    `<div style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff">`,
    ...parts,
    "</div></body></html>",
  ].join("\n");
}

function fill(
  text: string,
  params: Readonly<Record<string, string>>,
  write: (value: string) => string,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    return value === undefined ? all : write(value.slice(0, longestValue));
  });
}

/**
 * Strips line breaks and other control characters, so that neither a header nor a second paragraph can be
 * injected.
 */
export function oneLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function escapeHtml(value: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return value.replaceAll(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
