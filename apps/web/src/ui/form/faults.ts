import type { ApiError } from "#lib/call";

/** A code of the form or of the server by field; texts are looked up when they are shown. */
export type Codes<Values> = { readonly [Name in keyof Values]?: string | undefined };

/** Fields without a fault are omitted. */
export function onlyFaults(
  codes: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(codes).flatMap(([name, code]) => (code === undefined ? [] : [[name, code]])),
  );
}

/**
 * Refusals of the server, by the fields of the form. `names` maps a refused name to the field that shows it;
 * a refusal of a part ("options.length") belongs to its parent.
 */
export function faultsOf(
  { attributes }: ApiError,
  fields: readonly string[],
  names: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const fieldOf = (path: string) =>
    [names[path], path, names[headOf(path)], headOf(path)].find(
      (name) => name !== undefined && fields.includes(name),
    );
  return Object.fromEntries(
    Object.entries(attributes)
      .toReversed()
      .flatMap(([path, [code = ""]]) => {
        const field = fieldOf(path);
        return field === undefined ? [] : [[field, code]];
      }),
  );
}

const headOf = (path: string) => path.split(".")[0] ?? path;

/** Codes are single words; messages of the server have several. */
export const isSentence = (text: string) => !/^\w*$/.test(text);
