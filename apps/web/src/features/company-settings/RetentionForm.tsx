import { retention, retentionMonths, type Retention } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { formatDate } from "#lib/format";
import { useSession } from "#lib/session";
import { NumberField, Switch } from "#ui/field";
import { useForm, type Bound } from "#ui/form";
import { AskedSettings, SettingsForm, SettingsRow } from "#ui/settings";

/** Default when a limit is set for the first time: the usual requirement of auditors. */
const usualMonths = 36;

/** How long the company keeps data other than readings. */
export function RetentionForm() {
  const { t } = useTranslation("companySettings");
  const query = useCall(retention.get, {}, { isQuiet: true });
  return (
    <AskedSettings title={t("section.retention")} failed={t("retention.failed")} query={query} height={320}>
      {(data) => <Form rows={data.retention} />}
    </AskedSettings>
  );
}

function Form({ rows }: { readonly rows: readonly Retention[] }) {
  const { t } = useTranslation("companySettings");
  const form = useForm({
    stored: Object.fromEntries(rows.map(({ kind, months }) => [kind, months])),
    send: (body, options) => exchange(retention.set, { body }, options),
    onSaved: () => refetch(retention.get),
  });
  return (
    <SettingsForm title={t("section.retention")} text={t("retention.text")} form={form}>
      {rows.map((row) => (
        <Line key={row.kind} row={row} months={form.field(row.kind)} />
      ))}
    </SettingsForm>
  );
}

interface LineProps {
  readonly row: Retention;
  readonly months: Bound<number | null>;
}

function Line({ row, months: { value: months, onValue: onMonths, ...field } }: LineProps) {
  const { t } = useTranslation("companySettings");
  const { company } = useSession();
  const { kind, is_fixed, expired_before } = row;
  const name = t(`retention.${kind}`);
  const gone =
    expired_before === null
      ? ""
      : t("retention.expired", { date: formatDate(expired_before, company.timezone_name) });
  if (is_fixed || kind === "audit")
    return (
      <SettingsRow
        title={name}
        text={[t("retention.fixed", { count: months ?? 0 }), gone].filter(Boolean).join(". ")}
      />
    );
  return (
    <>
      <SettingsRow title={name} text={[t(`retention.${kind}Text`), gone].filter(Boolean).join(". ")}>
        <Switch
          checked={months === null}
          onChange={(event) =>
            onMonths(event.currentTarget.checked ? null : (row.months ?? row.default_months ?? usualMonths))
          }
        >
          <span className="visually-hidden">{t("retention.keepAll", { name })}</span>
          <span aria-hidden="true">{t("retention.forever")}</span>
        </Switch>
      </SettingsRow>
      {months === null ? null : (
        <NumberField
          label={t("retention.keep", { name })}
          {...field}
          value={months}
          onValue={(value) => onMonths(value ?? retentionMonths.least)}
          min={retentionMonths.least}
          max={retentionMonths.most}
          decimals={0}
          unit={t("retention.months")}
        />
      )}
    </>
  );
}
