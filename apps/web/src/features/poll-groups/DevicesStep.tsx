import type { ReplyOf } from "@metrum/contract/core";
import { pollGroupLimits } from "@metrum/contract/headend";
import { deviceStates, devices, type DeviceListInput } from "@metrum/contract/metering";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, request, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { Checkbox, Segmented, SelectField } from "#ui/field";
import type { FormState } from "#ui/form";
import { LongList } from "#ui/longList";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import type { GroupValues } from "./groupForm.ts";
import { Step } from "./Step.tsx";

/** Devices drawn at a time; others are found by the filter. */
const most = 100;
const fields = ["id", "name", "deviceID", "place", "gateway"] as const;
type State = (typeof deviceStates)[number] | "";

interface Props {
  readonly form: FormState<GroupValues>;
  readonly modelId: number;
}

/** The devices of the group: found by a filter and ticked, one by one or all that were found. */
export function DevicesStep({ form, modelId }: Props) {
  const { t } = useTranslation(["pollGroups", "devices"]);
  const { number } = useFormat();
  const [q, setQ] = useState("");
  const [state, setState] = useState<State>("");
  const [isOnlyChosen, setOnlyChosen] = useState(false);
  const chosen = form.values.device_ids;
  const filter: DeviceListInput = {
    model_id: modelId,
    sort: "asc",
    sort_field: "name",
    ...(q === "" ? {} : { search_string: q }),
    ...(state === "" ? {} : { fields_filter: { state: [state] } }),
    ...(isOnlyChosen ? { ids: [...chosen] } : {}),
  };
  const query = useCall(
    devices.list,
    { body: { ...filter, per_page: most, only: [...fields] } },
    { isQuiet: true, keepsPrevious: true },
  );
  const found = query.data?.metering_devices;
  const put = (ids: readonly number[]) => form.set({ device_ids: [...new Set(ids)].sort((a, b) => a - b) });
  const chooseFound = async () => {
    const { data } = await request(devices.list, { body: { ...filter, paginate: false, only: ["id"] } });
    put([...chosen, ...data.metering_devices.data.flatMap(({ id }) => id ?? [])]);
  };
  const { error } = form.field("device_ids");
  return (
    <Step at={3} title={t("step.devices")} text={t("form.devicesText")}>
      <div className="group-filter">
        <SearchBox
          label={t("form.findDevices")}
          value={q}
          onSearch={useCallback((text: string) => setQ(text.trim()), [])}
        />
        <SelectField
          label={t("form.state")}
          value={state}
          placeholder={t("form.anyState")}
          options={deviceStates.map((value) => ({ value, title: t(`devices:state.${value}`) }))}
          onChange={({ currentTarget: { value } }) =>
            setState(deviceStates.find((each) => each === value) ?? "")
          }
        />
        <Segmented
          name="chosen"
          label={t("form.shown")}
          value={isOnlyChosen ? "chosen" : "all"}
          onValue={(value) => setOnlyChosen(value === "chosen")}
          options={[
            { value: "all", title: t("form.ofModel") },
            { value: "chosen", title: t("form.chosen", { shown: number(chosen.length, 0) }) },
          ]}
        />
      </div>
      {query.isError && !found ? (
        <ErrorState
          title={t("form.noDevices")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Found
          rows={found?.data}
          nothing={t(isOnlyChosen && chosen.length === 0 ? "form.noneChosen" : "form.noneFound")}
          chosen={chosen}
          onChosen={put}
        />
      )}
      <div className="group-filter-foot">
        <FoundCount total={found?.total ?? 0} isOffered={!isOnlyChosen} onChoose={() => void chooseFound()} />
        {chosen.length > 0 ? (
          <Button size="small" onClick={() => put([])}>
            {t("form.chooseNone")}
          </Button>
        ) : null}
      </div>
      {error === undefined ? null : (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Step>
  );
}

type Row = ReplyOf<typeof devices.list>["metering_devices"]["data"][number];

/** That only the first devices are drawn, and the button that chooses all of them. */
function FoundCount(props: {
  readonly total: number;
  readonly isOffered: boolean;
  readonly onChoose: () => void;
}) {
  const { total, isOffered, onChoose } = props;
  const { t } = useTranslation("pollGroups");
  const { number } = useFormat();
  return (
    <>
      <span role="status">
        {total > most ? t("form.first", { shown: number(most, 0), all: number(total, 0) }) : null}
      </span>
      {total > 0 && isOffered ? (
        <Button size="small" disabled={total > pollGroupLimits.devices} onClick={onChoose}>
          {t("form.chooseFound", { count: total, shown: number(total, 0) })}
        </Button>
      ) : null}
    </>
  );
}

interface FoundProps {
  /** Undefined until they are known. */
  readonly rows: readonly Row[] | undefined;
  /** Why there are none. */
  readonly nothing: string;
  readonly chosen: readonly number[];
  readonly onChosen: (ids: readonly number[]) => void;
}

function Found({ rows, nothing, chosen, onChosen }: FoundProps) {
  if (rows === undefined) return <Skeleton height={160} />;
  if (rows.length === 0)
    return (
      <p className="group-none" role="status">
        {nothing}
      </p>
    );
  const ticked = new Set(chosen);
  const toggle = (id: number) =>
    onChosen(ticked.has(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <LongList className="group-devices" items={rows} keyOf={({ id }) => String(id)}>
      {({ id = 0, name, deviceID, place, gateway }) => (
        <Checkbox checked={ticked.has(id)} onChange={() => toggle(id)}>
          <b>{name}</b>
          <small>{[deviceID, place, gateway?.name].filter((part) => part).join(" · ")}</small>
        </Checkbox>
      )}
    </LongList>
  );
}
