import type { ControlPlan } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { NumberField, TextField } from "#ui/field";
import type { Bound, FormState } from "#ui/form";
import type { PlanValues } from "./usePlanForm.ts";

interface Props {
  readonly form: FormState<PlanValues>;
  readonly plan: ControlPlan;
}

/** When the task stops, the typed number of devices, and the password or a code if they are needed. */
export function Proofs({ form, plan: { needs, able_count } }: Props) {
  const { t } = useTranslation("bulkControl");
  const { number } = useFormat();
  const asksCode = needs.includes("one_t_p");
  return (
    <div className="bulk-fields">
      <NumberField
        label={t("stopAfter")}
        hint={t("stopHint")}
        min={1}
        max={1000}
        decimals={0}
        {...form.field("stop_after")}
      />
      {needs.includes("device_count") ? (
        <NumberField
          label={t("typed")}
          hint={t("typedHint", { count: able_count, shown: number(able_count, 0) })}
          decimals={0}
          {...form.field("device_count")}
          isRequired
        />
      ) : null}
      {needs.includes("current_password") ? (
        <Secret
          bound={form.field("current_password")}
          label={t(asksCode ? "passwordOr" : "password")}
          type="password"
        />
      ) : null}
      {asksCode ? <Secret bound={form.field("one_t_p")} label={t("code")} type="text" /> : null}
    </div>
  );
}

function Secret(props: {
  readonly bound: Bound<string>;
  readonly label: string;
  readonly type: "password" | "text";
}) {
  const { name, value, error, onValue } = props.bound;
  return (
    <TextField
      label={props.label}
      name={name}
      type={props.type}
      autoComplete={props.type === "password" ? "current-password" : "one-time-code"}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
