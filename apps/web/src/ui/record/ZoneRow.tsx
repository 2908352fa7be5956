import { useState } from "react";
import { useSession } from "#lib/session";
import { SelectField, type Option } from "#ui/field";
import { zoneChoices } from "#ui/zone";

interface Props {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly error: string | undefined;
  readonly theirs?: string;
  readonly isRequired: boolean;
  readonly value: string;
  readonly onValue: (zone: string) => void;
  /** The choice of none; undefined: there must be one. */
  readonly none: string | undefined;
}

/** A named time zone with its present offset. */
export function ZoneRow({ none, ...field }: Props) {
  const { zone } = useSession();
  const [zones] = useState(() => zoneChoices(field.value || zone, Math.floor(Date.now() / 1000)));
  const options: readonly Option[] = none === undefined ? zones : [{ value: "", title: none }, ...zones];
  return <SelectField {...field} options={options} />;
}
