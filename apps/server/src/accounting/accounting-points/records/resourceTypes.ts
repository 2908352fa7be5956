import { voltageLevels, type accountingPoints } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { meterKinds, pointTypes, resourceOfType, units, type Language, type Text } from "@metrum/vocabulary";

const titled = ({ id, title }: { readonly id: number; readonly title: Text }) => ({
  id,
  title: title.ru,
  title_en: title.en,
});

/** Types of accounting points with what follows from them, and the lists that go with them. */
export function resourceTypes(language: Language): ReplyOf<typeof accountingPoints.resourceTypes> {
  return {
    resource_types: pointTypes.map((type) => {
      const resource = resourceOfType(type.id);
      return {
        ...titled(type),
        device_group_id: resource.deviceGroupId,
        unit: units[type.unit][language],
        resource_id: resource.resourceId,
        resource_title: resource.title[language],
        water_kind: type.waterKind,
      };
    }),
    meter_kinds: meterKinds.map(titled),
    voltage_levels: voltageLevels.map(titled),
  };
}
