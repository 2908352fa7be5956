import { languages, type Text } from "@metrum/vocabulary";
import type { Services } from "#core";

/** A file of a letter. */
export interface Attachment {
  readonly name: string;
  /** Media type: `application/pdf`. */
  readonly type: string;
  readonly content: Buffer;
}

/** Parameters of a letter by name; `link`, the full URL of its link, is one of every kind. */
export type LetterParams<Name extends string = string> = Readonly<Record<Name | "link", string>>;

/** A kind of letters, declared by the domain that sends them. */
export interface LetterKind<Name extends string = string> {
  /** Stored with each letter, so it stays the same for ever. */
  readonly id: string;
  readonly subject: Text;
  /** Paragraphs; `{name}` is filled from the parameters of the letter. */
  readonly body: readonly Text[];
  /** Label of the link. */
  readonly action: Text;
  /** Names of its parameters besides `link`. */
  readonly parameters: readonly Name[];
  /**
   * Reads its files at the time of sending, which the parameters name: the outbox keeps references and no copies. An
   * error is an attempt that failed. Files of one letter have ten megabytes together at most.
   */
  attachments?(services: Services, params: LetterParams<Name>): Promise<readonly Attachment[]>;
}

/** Kinds by their id. */
export type LetterKinds = ReadonlyMap<string, LetterKind>;

/** Declares a kind. Errors: Error for a text that names a parameter which it does not have. */
export function defineLetter<const Name extends string = never>(kind: LetterKind<Name>): LetterKind<Name> {
  const known: readonly string[] = [...kind.parameters, "link"];
  for (const text of [kind.subject, kind.action, ...kind.body])
    for (const language of languages)
      for (const [all, name = ""] of text[language].matchAll(/\{(\w+)\}/g))
        if (!known.includes(name)) throw new Error(`the letter ${kind.id} has no parameter ${all}`);
  return kind;
}

/** The kinds that this process knows. Errors: Error for two of one id. */
export function createLetterKinds(kinds: readonly LetterKind[]): LetterKinds {
  const byId = new Map(kinds.map((kind) => [kind.id, kind]));
  if (byId.size !== kinds.length) throw new Error("two kinds of letters have one id");
  return byId;
}

declare module "#core" {
  interface Parts {
    /** Kinds of letters of all domains. */
    readonly letterKinds: LetterKinds;
  }
}

export const letterText = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** The last paragraph of a letter that its reader may not have asked for. */
export const ignoreLetter = letterText(
  "Если это были не вы, ничего не делайте: без перехода по ссылке ничего не изменится.",
  "If this was not you, ignore this letter: nothing changes unless the link is opened.",
  "Хэрэв энэ та биш бол юу ч хийх шаардлагагүй: холбоосыг нээхгүй бол юу ч өөрчлөгдөхгүй.",
);
