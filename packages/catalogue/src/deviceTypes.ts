import type { ResourceKey, Text } from "@metrum/vocabulary";

/** A kind of device as people choose it (`device_type_id`). */
export interface DeviceType {
  readonly id: number;
  readonly resource: ResourceKey;
  readonly title: Text;
}

const deviceType = (id: number, resource: ResourceKey, ru: string, en: string, mn: string): DeviceType => ({
  id,
  resource,
  title: { ru, en, mn },
});

/** Device types of the catalogue. 3 and 29 are drawn with three-phase vectors; 29 is kept free for them. */
export const deviceTypes: readonly DeviceType[] = [
  deviceType(1, "water", "Счётчик воды", "Water meter", "Усны тоолуур"),
  deviceType(
    3,
    "electricity",
    "Счётчик электроэнергии трёхфазный",
    "Three-phase electricity meter",
    "Гурван фазын цахилгаан тоолуур",
  ),
  deviceType(4, "heat", "Теплосчётчик", "Heat meter", "Дулааны тоолуур"),
  deviceType(5, "gas", "Счётчик газа", "Gas meter", "Хийн тоолуур"),
  deviceType(
    20,
    "sensor",
    "Датчик температуры и влажности",
    "Temperature and humidity sensor",
    "Температур, чийгшлийн мэдрэгч",
  ),
  deviceType(
    30,
    "electricity",
    "Счётчик электроэнергии однофазный",
    "Single-phase electricity meter",
    "Нэг фазын цахилгаан тоолуур",
  ),
];
