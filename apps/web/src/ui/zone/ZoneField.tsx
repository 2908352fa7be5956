import { useMemo } from "react";
import { SelectField } from "#ui/field";
import { zoneChoices } from "./zones.ts";

interface Props {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onValue: (zone: string) => void;
  /** Instant whose offsets are shown, epoch seconds. */
  readonly at: number;
}

/** A named time zone with its present offset. */
export function ZoneField({ label, hint, error, value, onValue, at }: Props) {
  const options = useMemo(() => zoneChoices(value, at), [value, at]);
  return (
    <SelectField
      label={label}
      hint={hint}
      error={error}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      options={options}
    />
  );
}
