import type { FileColumn, FileFormat } from "@metrum/contract/core";
import i18next from "i18next";
import { receive } from "#lib/call";
import { saveFile } from "#lib/csv";
import { snack } from "#ui/snackbar";
import type { ListInUse } from "../useList.ts";

interface Wanted<Row extends object, Context> {
  readonly list: Pick<ListInUse<Row, Context>, "source" | "context" | "label" | "total">;
  readonly saved: NonNullable<ListInUse<Row, Context>["saved"]>;
  readonly shown: readonly string[];
  readonly format: FileFormat;
}

/** The server writes the file, so a long list is neither paged nor held by the browser as rows. */
export async function saveList<Row extends object, Context>(of: Wanted<Row, Context>): Promise<void> {
  const { list, saved, format } = of;
  const { context, label: title } = list;
  const file = { format, title, zone: context.zone, columns: fileColumns(of) };
  const { name, content } = await receive(saved.call, {
    ...saved.input,
    body: { ...bodyOf(saved.input), file },
  });
  saveFile(name, content);
  snack(i18next.t("grid:file.saved", { name }));
}

/** The visible columns in their order, with titles and words in the language of the user. */
function fileColumns<Row extends object, Context>({ list, shown }: Wanted<Row, Context>): FileColumn[] {
  const { source, context } = list;
  return shown.flatMap((id) =>
    source
      .filter((column) => column.id === id)
      .flatMap(({ title, files }) =>
        files.map(({ of, shows, words, title: own }) => ({
          title: context.t(own ?? title),
          of: typeof of === "string" ? [of] : [...of],
          ...(shows === undefined ? {} : { shows }),
          ...(words === undefined ? {} : { words: words(context) }),
        })),
      ),
  );
}

function bodyOf({ body }: { readonly body?: unknown }): object {
  return typeof body === "object" && body !== null ? body : {};
}
