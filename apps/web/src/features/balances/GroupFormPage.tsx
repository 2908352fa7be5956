import { balances, lossRules, type BalanceGroup, type LossRule } from "@metrum/contract/accounting";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button, buttonClass } from "#ui/button";
import { NumberField, SelectField, TextField } from "#ui/field";
import { Form, useForm, useUnsaved } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { directoriesHref, groupHref, listHref, refreshed } from "./balances.ts";
import { Formula } from "./Formula.tsx";
import {
  bodyOf,
  faultTexts,
  fieldNames,
  formulaFault,
  hasValue,
  valuesOf,
  type GroupValues,
} from "./groupForm.ts";
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
  const { language } = useFormat();
  const form = useForm({
    stored: valuesOf(group),
    required: ["name"],
    names: fieldNames,
    check: formulaFault,
    words: (code) => {
      const key = faultTexts[code];
      return key === undefined ? undefined : t(key);
    },
    onConflict,
    send: (values: GroupValues, options) =>
      group
        ? exchange(
            balances.update,
            { params: { id: String(group.id) }, body: { ...bodyOf(values), version: group.version } },
            options,
          )
        : exchange(balances.create, { body: bodyOf(values) }, options),
    onSaved: async ({ balance_group }) => {
      location.hash = groupHref(balance_group.id);
      await refetch(...refreshed);
    },
  });
  useUnsaved(form.isDirty && !form.isBusy);
  const rules = Object.keys(lossRules) as LossRule[];
  const { loss_rule } = form.values;
  return (
    <Form form={form} className="balance-form">
      <div className="balance-panel balance-fields">
        <TextField label={t("form.name")} maxLength={255} {...form.field("name")} />
        <NumberField
          label={t("form.allowed")}
          hint={t("form.allowedHint")}
          min={0}
          max={100}
          decimals={3}
          unit="%"
          {...form.field("allowed_imbalance")}
        />
        <SelectField
          label={t("form.lossRule")}
          hint={t("form.lossHint")}
          {...form.field("loss_rule")}
          options={rules.map((value) => ({ value, title: lossRules[value][language] }))}
        />
        {hasValue(loss_rule) ? (
          <NumberField
            label={t("form.lossValue")}
            min={0}
            max={loss_rule === "percent" ? 100 : 1e9}
            unit={loss_rule === "percent" ? "%" : t("form.aDay")}
            {...form.field("loss_value")}
          />
        ) : null}
        <TextField label={t("form.comment")} maxLength={2000} {...form.field("comment")} />
      </div>
      <Formula
        points={form.values.points}
        onPoints={(points) => form.set({ points })}
        error={form.field("points").error}
      />
      <div className="balance-form-foot">
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {t("form.save")}
        </Button>
        <a className={buttonClass()} href={group ? groupHref(group.id) : listHref}>
          {t("form.cancel")}
        </a>
      </div>
    </Form>
  );
}
