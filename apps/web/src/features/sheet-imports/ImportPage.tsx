import type { SheetImport } from "@metrum/contract/metering";
import { useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { reasonOf } from "#lib/call";
import { useFormat } from "#lib/format";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { ListPage } from "#ui/list";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { ColumnsStep } from "./ColumnsStep.tsx";
import { startHref, stepOf, useImport, wayTo, type Reason } from "./imports.ts";
import { RehearsalStep } from "./RehearsalStep.tsx";
import { RunStep } from "./RunStep.tsx";
import { Steps } from "./Steps.tsx";

/** One import at the step that it has reached. */
export function ImportPage({ id }: { readonly id: number }) {
  const { t } = useTranslation(["sheetImports", "devices"]);
  const { data, error, refetch } = useImport(id);
  const kind = data?.import.kind ?? "devices";
  const title = data ? t(`titleOf.${kind}`) : t("title");
  const isUnknown = error?.status === 404 || error?.status === 422;
  return (
    <ListPage
      className="sheets"
      title={title}
      path={
        <Breadcrumbs
          items={[
            ...wayTo(kind, t),
            { title: t("title"), href: startHref(kind) },
            { title: data?.import.file_name ?? "…" },
          ]}
        />
      }
    >
      {data ? (
        <Opened imported={data.import} reasons={data.reasons} />
      ) : isUnknown ? (
        <EmptyState title={t("notFound")}>
          <a href={startHref(kind)}>{t("again")}</a>
        </EmptyState>
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </ListPage>
  );
}

interface Props {
  readonly imported: SheetImport;
  readonly reasons: readonly Reason[];
}

function Opened({ imported, reasons }: Props) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const step = stepOf(imported, search["step"] === "columns");
  return (
    <>
      <Facts imported={imported} />
      <Steps current={step} isOver={imported.state === "done" || imported.state === "undone"} />
      {step === "columns" ? (
        <ColumnsStep imported={imported} />
      ) : step === "rehearsal" ? (
        <RehearsalStep imported={imported} reasons={reasons} />
      ) : (
        <RunStep imported={imported} reasons={reasons} />
      )}
    </>
  );
}

function Facts({ imported }: Pick<Props, "imported">) {
  const { t } = useTranslation("sheetImports");
  const { number } = useFormat();
  const { file_name, row_count, headers } = imported;
  return (
    <p className="sheets-facts">
      {[
        file_name,
        t("rows", { count: row_count, shown: number(row_count, 0) }),
        t("columns", { count: headers.length, shown: number(headers.length, 0) }),
      ].join(" · ")}
    </p>
  );
}
