import { useTranslation } from "react-i18next";
import { Switch } from "#ui/field";
import type { DataAddress } from "./address.ts";
import type { ColumnSwitches } from "./tabs/readings/dataTable.ts";

type Change = (change: Partial<DataAddress>) => void;

/** A choice with all options visible. */
export function Segments<Value extends string | number>(props: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly title: string }[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}) {
  const { label, options, value, onValue } = props;
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
        >
          {option.title}
        </button>
      ))}
    </div>
  );
}

/**
 * Switches shown only if such columns exist; that of the chart if it can draw growth instead of a counter.
 */
export function DataSwitches(props: {
  readonly canGrow: boolean;
  readonly switches: ColumnSwitches;
  readonly address: DataAddress;
  readonly onChange: Change;
}) {
  const { switches, address, onChange } = props;
  const { t } = useTranslation("deviceData");
  const items = [
    { key: "counters", isThere: props.canGrow, isOn: address.counters },
    { key: "delta", isThere: switches.hasDelta, isOn: address.delta },
    { key: "losses", isThere: switches.hasLosses, isOn: address.losses },
    { key: "transformer", isThere: switches.hasTransformer, isOn: address.transformer },
  ] as const;
  return items
    .filter((item) => item.isThere)
    .map((item) => (
      <Switch key={item.key} checked={item.isOn} onChange={() => onChange({ [item.key]: !item.isOn })}>
        {t(`toggle.${item.key}`)}
      </Switch>
    ));
}
