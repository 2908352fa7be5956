import { deviceTypes, meterModels, models, type MeterModel, type Model, type Tab } from "@metrum/catalogue";
import { problem } from "@metrum/contract/core";
import type { DeviceModel } from "@metrum/contract/metering";
import { interfaces, resourceByKey } from "@metrum/vocabulary";
import { shownControls } from "./controls.ts";
import { memoryControls } from "./memoryControls.ts";

/** Brands have no table: their ids are their positions in the alphabetical list. */
export const brands: readonly { readonly id: number; readonly title: string }[] = [
  ...new Set(models.map((model) => model.brand)),
]
  .sort((a, b) => a.localeCompare(b))
  .map((title, at) => ({ id: at + 1, title }));

const brandIds = new Map(brands.map((brand) => [brand.title, brand.id]));
const interfaceIds = new Map(interfaces.map((each) => [each.name, each.id]));

/** The model of a metering device. Errors: not_found when it is no longer in the catalogue. */
export function modelOf(id: number): MeterModel {
  const model = meterModels.find((each) => each.id === id);
  if (!model) throw problem("not_found");
  return model;
}

/** A metering model as sent to clients. */
export function shownModel(model: MeterModel): DeviceModel {
  return {
    ...shownCommon(model),
    brand: model.brand,
    device_group_id: resourceByKey[model.resource].deviceGroupId,
    device_type_id: model.deviceTypeId,
    protocol: model.driver.protocol,
    options: {
      control: controlsOf(model),
      virtual_bridge: { active: model.driver.kind === "line" },
    },
    tabs: shownTabs(model.tabs),
    fields: [...model.fields],
    has_own_starting_value: model.hasOwnStartingValue === true,
    has_login: model.hasLogin === true,
    has_vectors: hasVectors(model),
  };
}

/** `options.control` of a model: its commands, and what can be requested from the memory of its devices. */
export const controlsOf = ({ controls, driver }: MeterModel): DeviceModel["options"]["control"] => ({
  ...shownControls(controls),
  ...memoryControls(driver),
});

/** Whether the model type has a three-phase vector diagram. */
export const hasVectors = ({ deviceTypeId }: MeterModel): boolean =>
  deviceTypes.some(({ id, hasVectors: isDrawn }) => id === deviceTypeId && isDrawn);

/** Interface of a model whose own is not in the directory. */
const otherInterface = 7;

/** The interface that a thing of this model has unless another one is chosen: its first. */
export function interfaceOf({ interfaces: [first] }: Pick<Model, "interfaces">): number {
  return (first === undefined ? undefined : interfaceIds.get(first)) ?? otherInterface;
}

/** Interfaces of a model that are in the directory, its default first; that alone if none is. */
export function interfaceIdsOf(model: Pick<Model, "interfaces">): number[] {
  const ids = model.interfaces.flatMap((name) => interfaceIds.get(name) ?? []);
  return ids.length === 0 ? [otherInterface] : ids;
}

/** Whether two things can be connected to each other. */
export const sharesInterface = (one: Pick<Model, "interfaces">, other: Pick<Model, "interfaces">): boolean =>
  one.interfaces.some((name) => other.interfaces.includes(name));

/** Fields common to models of every kind. */
export function shownCommon(model: Model) {
  return {
    id: model.id,
    title: model.title,
    brand_id: brandIds.get(model.brand) ?? 0,
    interface_ids: interfaceIdsOf(model),
  };
}

export function shownTabs(tabs: Readonly<Partial<Record<string, Tab>>>) {
  return Object.fromEntries(
    Object.entries(tabs).flatMap(([name, tab]) =>
      tab ? [[name, { msgTypes: [...tab.msgTypes], chart_fields: [...(tab.chart_fields ?? [])] }]] : [],
    ),
  );
}
