import { sheetImports, type SheetField, type SheetKind } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { FormatMenu } from "./FormatMenu.tsx";

/** Columns that a file of a kind may have, and a template with them. */
export function FieldsOfKind({ kind }: { readonly kind: SheetKind }) {
  const { t } = useTranslation("sheetImports");
  const { data, error, refetch } = useCall(
    sheetImports.template,
    { body: { kind } },
    { isQuiet: true, freshMs: 3_600_000 },
  );
  return (
    <section className="sheets-fields" aria-label={t("fields.title")}>
      <header>
        <h2>{t("fields.title")}</h2>
        {data ? (
          <FormatMenu
            label={t("fields.template")}
            wanted={{
              call: sheetImports.template,
              body: { kind },
              title: t("fields.templateOf", { kind: t(`kind.${kind}`) }),
              columns: data.fields.map(({ title }, at) => ({ title, of: [`cells.${String(at)}`] })),
            }}
          />
        ) : null}
      </header>
      {data ? (
        <ul>
          {data.fields.map((field) => (
            <li key={field.field}>
              <b>{field.title}</b>
              <Mark field={field} />
              <span>{field.example === "" ? "" : t("fields.example", { text: field.example })}</span>
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorState title={t("fields.failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={180} />
      )}
    </section>
  );
}

function Mark({ field }: { readonly field: SheetField }) {
  const { t } = useTranslation("sheetImports");
  if (field.is_key) return <em>{t("fields.key")}</em>;
  return field.is_needed ? <em>{t("fields.needed")}</em> : null;
}
