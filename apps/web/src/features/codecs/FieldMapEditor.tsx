import type { DeviceModel } from "@metrum/contract/metering";
import {
  fieldNames,
  fieldOf,
  isFieldName,
  otherUnits,
  pulses,
  resourceOfGroup,
  units,
  type ResourceKey,
} from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Button, IconButton } from "#ui/button";
import { Icon } from "#ui/icon";
import type { MapLine } from "./draft.ts";

interface Props {
  readonly map: readonly MapLine[];
  readonly model: DeviceModel | undefined;
  readonly isReadOnly: boolean;
  readonly onMap: (map: readonly MapLine[]) => void;
}

/** Maps decoded names to fields, with the unit used by the codec. */
export function FieldMapEditor({ map, model, isReadOnly, onMap }: Props) {
  const { t } = useTranslation("codecs");
  const set = (at: number, next: Partial<MapLine>) =>
    onMap(map.map((line, index) => (index === at ? { ...line, ...next } : line)));
  return (
    <fieldset className="codecs-map" disabled={isReadOnly}>
      <legend>{t("map")}</legend>
      <p>{t("mapHint")}</p>
      {map.map((line, at) => (
        <Line
          key={at}
          line={line}
          model={model}
          onLine={(next) => set(at, next)}
          onGone={() => onMap(map.filter((_, index) => index !== at))}
        />
      ))}
      <Button size="small" icon="plus" onClick={() => onMap([...map, { from: "", name: "", unit: "" }])}>
        {t("mapAdd")}
      </Button>
    </fieldset>
  );
}

export function resourceKeyOf(model: DeviceModel | undefined): ResourceKey {
  const group = model && resourceOfGroup(model.device_group_id);
  return group?.key ?? "other";
}

interface LineProps {
  readonly line: MapLine;
  readonly model: DeviceModel | undefined;
  readonly onLine: (next: Partial<MapLine>) => void;
  readonly onGone: () => void;
}

function Line({ line, model, onLine, onGone }: LineProps) {
  const { t } = useTranslation("codecs");
  const { language } = useFormat();
  const resource = resourceKeyOf(model);
  const own = isFieldName(line.name) ? fieldOf(line.name, resource) : undefined;
  const choices = own ? [...otherUnits(own.unit), ...(own.kind === "counter" ? [pulses] : [])] : [];
  return (
    <div className="codecs-line">
      <span className="input">
        <input
          aria-label={t("decodedName")}
          placeholder={t("decodedName")}
          value={line.from}
          maxLength={128}
          onChange={(event) => onLine({ from: event.currentTarget.value })}
        />
      </span>
      <span className="input">
        <select
          aria-label={t("field")}
          value={line.name}
          onChange={(event) => onLine({ name: event.currentTarget.value, unit: "" })}
        >
          <option value="">{t("field")}</option>
          <option value="time">{t("time")}</option>
          {fieldNames.map((name) => (
            <option key={name} value={name}>
              {`${fieldOf(name, resource).title[language]} (${name})`}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size={12} className="input-arrow" />
      </span>
      <span className="input">
        <select
          aria-label={t("unit")}
          value={line.unit}
          disabled={own === undefined}
          onChange={(event) => onLine({ unit: event.currentTarget.value })}
        >
          <option value="">{own ? units[own.unit][language] || "—" : "—"}</option>
          {choices.map((unit) => (
            <option key={unit} value={unit}>
              {unit === pulses ? t("pulses") : unit}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size={12} className="input-arrow" />
      </span>
      <IconButton icon="trash" size="small" label={t("mapRemove")} onClick={onGone} />
    </div>
  );
}
