import { balances, lossRules, type BalanceGroup, type LossRule } from "@metrum/contract/accounting";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { reasonOf, refetch, useCall } from "#lib/call";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { buttonClass } from "#ui/button";
import { defineRecordPage, RecordPage, rowsOf } from "#ui/record";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { directoriesHref, groupHref, listHref, refreshed } from "./balances.ts";
import { Formula } from "./Formula.tsx";
import { bodyOf, faultTexts, fieldNames, formulaFault, valuesOf, type GroupValues } from "./groupForm.ts";
import "./balances.css";
import "./balanceForm.css";

/** A new balance group, or one to change. */
export function GroupFormPage() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  const { t } = useTranslation("balances");
  const {
    data,
    error,
    refetch: reload,
  } = useCall(balances.get, { params: { id: id ?? "" } }, { isQuiet: true, isEnabled: id !== undefined });
  const group = data?.balance_group;
  const isMissing = error?.status === 404 || error?.status === 422;
  const title = id === undefined ? t("form.new") : (group?.name ?? "…");
  return (
    <section className="balances balance-page">
      <Breadcrumbs
        items={[
          { title: t("directories"), href: directoriesHref },
          { title: t("title"), href: listHref },
          { title },
        ]}
      />
      <h1 className="balance-form-title">{title}</h1>
      {isMissing ? (
        <EmptyState title={t("notFound")} />
      ) : error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void reload()} />
      ) : id === undefined || group ? (
        <GroupForm key={id ?? "new"} group={group ?? null} onConflict={reload} />
      ) : (
        <Skeleton height={480} />
      )}
    </section>
  );
}

interface Props {
  readonly group: BalanceGroup | null;
  readonly onConflict: () => Promise<unknown>;
}

/** The form itself; `group` null: a new one. */
export function GroupForm({ group, onConflict }: Props) {
  const { t } = useTranslation("balances");
  return (
    <RecordPage
      form={groupForm}
      record={group}
      given={{}}
      reload={onConflict}
      onLeave={({ balance_group }) => {
        location.hash = groupHref(balance_group.id);
      }}
      footClass="balance-form-foot"
    >
      <a className={buttonClass()} href={group ? groupHref(group.id) : listHref}>
        {t("form.cancel")}
      </a>
    </RecordPage>
  );
}

const { text, number, select, own, group, where } = rowsOf<GroupValues>();
const rules = Object.keys(lossRules) as LossRule[];
const isPercent = ({ loss_rule }: GroupValues) => loss_rule === "percent";
const isFixed = ({ loss_rule }: GroupValues) => loss_rule === "fixed";
const lossValue = { title: "form.lossValue", min: 0 };

const groupForm = defineRecordPage<BalanceGroup, GroupValues>()({
  texts: ["balances"],
  titles: "form",
  className: "balance-form",
  action: ["form.save", "form.save"],
  values: valuesOf,
  required: ["name"],
  names: fieldNames,
  check: formulaFault,
  words: (code, _, t) => (code in faultTexts ? t(faultTexts[code] ?? "") : undefined),
  rows: [
    group(
      "balance-panel balance-fields",
      text("name", { most: 255 }),
      number("allowed_imbalance", {
        ...{ title: "form.allowed", hint: "form.allowedHint" },
        ...{ min: 0, max: 100, decimals: 3, unit: () => "%" },
      }),
      select("loss_rule", ({ language }) => rules.map((of) => ({ of, title: lossRules[of][language] })), {
        ...{ title: "form.lossRule", hint: "form.lossHint" },
      }),
      ...where(isPercent, number("loss_value", { ...lossValue, max: 100, unit: () => "%" })),
      ...where(isFixed, number("loss_value", { ...lossValue, max: 1e9, unit: "form.aDay" })),
      text("comment", { most: 2000 }),
    ),
    own("points", ({ value, onValue, error }) => <Formula points={value} onPoints={onValue} error={error} />),
  ],
  body: bodyOf,
  add: (body, ask) => ask(balances.create, { body }),
  change: ({ id, version }, _, ask, whole) =>
    ask(balances.update, { params: { id: String(id) }, body: { ...whole, version } }),
  refresh: () => refetch(...refreshed),
});
