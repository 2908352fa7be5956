import { sheetImports, type ImportedRow, type SheetField, type SheetImport } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { Button } from "#ui/button";
import { SelectField } from "#ui/field";
import { Form, useForm, useUnsaved } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { faultsOf, mappingOf, missingOf, valuesOf, type Mapping } from "./columns.ts";
import { importHref, startHref } from "./imports.ts";

interface Props {
  readonly imported: SheetImport;
}

/** Rows asked for, the shortest page, and values shown beside a column. */
const sampled = { rows: 10, values: 3 };

/** What each column of the file is; the server has guessed it by its heading, or as the last time. */
export function ColumnsStep({ imported }: Props) {
  const { t } = useTranslation("sheetImports");
  const { kind, id } = imported;
  const known = useCall(sheetImports.template, { body: { kind } }, { isQuiet: true, freshMs: 3_600_000 });
  const first = useCall(
    sheetImports.rows,
    { body: { id, page: 1, per_page: sampled.rows } },
    { isQuiet: true },
  );
  const failed = [known, first].find(({ isError, data }) => isError && !data);
  if (known.data && first.data)
    return <Columns imported={imported} fields={known.data.fields} rows={first.data.rows.data} />;
  if (!failed) return <Skeleton height={320} />;
  const retry = () => void failed.refetch();
  return <ErrorState title={t("map.failed")} message={reasonOf(failed.error)} onRetry={retry} />;
}

interface ColumnsProps extends Props {
  readonly fields: readonly SheetField[];
  readonly rows: readonly ImportedRow[];
}

function Columns({ imported, fields, rows }: ColumnsProps) {
  const { t } = useTranslation("sheetImports");
  const { id, headers, kind } = imported;
  const key = fields.find(({ is_key }) => is_key);
  const form = useForm({
    stored: valuesOf(imported),
    names: { mapping: "0" },
    check: (values: Mapping) => faultsOf(values, key?.field),
    words: (code) => {
      if (code === "twice") return t("map.twice");
      return code === "key" ? t("map.key", { title: key?.title ?? "" }) : undefined;
    },
    send: async (values, options) => {
      if (!isPermitted(sheetImports.rehearse)) return undefined;
      const body = { id, mapping: mappingOf(values, headers.length) };
      return exchange(sheetImports.rehearse, { body }, options);
    },
    isSilent: true,
    onSaved: async () => {
      location.hash = importHref(imported);
      await refetch(sheetImports.get, sheetImports.rows);
    },
    onRefused: ({ code }) => {
      if (code === "sheet_state") void refetch(sheetImports.get);
    },
  });
  useUnsaved(form.isDirty && !form.isBusy);
  const missing = missingOf(form.values, fields);
  return (
    <Form form={form} className="sheets-map">
      <div className="sheets-columns">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("map.column")}</th>
              <th scope="col">{t("map.values")}</th>
              <th scope="col">{t("map.field")}</th>
            </tr>
          </thead>
          <tbody>
            {headers.map((header, at) => (
              <tr key={at} data-ignored={form.values[String(at)] === "" ? "" : undefined}>
                <th scope="row">{header === "" ? t("map.noHeading", { at: at + 1 }) : header}</th>
                <td>{samplesOf(rows, at)}</td>
                <td>
                  <SelectField
                    label={t("map.fieldOf", { column: header })}
                    {...form.field(String(at))}
                    placeholder={t("map.ignored")}
                    onChange={({ currentTarget: { value } }) => form.set({ [String(at)]: value })}
                    options={fields.map(({ field, title, is_key, is_needed }) => ({
                      value: field,
                      title: is_key || is_needed ? `${title} *` : title,
                    }))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <footer className="sheets-foot">
        <p>
          {missing.length === 0 ? (
            t("map.needed")
          ) : (
            <>
              <StatusGlyph kind="warn" /> {t("map.missing", { titles: missing.join(", ") })}
            </>
          )}
        </p>
        <a className="button button-secondary button-normal" href={startHref(kind)}>
          {t("back")}
        </a>
        <Button type="submit" kind="primary" isBusy={form.isBusy} disabled={form.isBusy}>
          {t("map.rehearse")}
        </Button>
      </footer>
    </Form>
  );
}

/** Values that differ, so that they say more. */
function samplesOf(rows: readonly ImportedRow[], at: number): string {
  const values = rows.map(({ cells }) => cells[at] ?? null).filter((cell) => cell !== null);
  return [...new Set(values.map(String))].slice(0, sampled.values).join(" · ") || "—";
}
