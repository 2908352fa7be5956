import type { ResourceKey, Text } from "@metrum/vocabulary";

/** A kind of device offered to users (`device_type_id`). */
export interface DeviceType {
  readonly id: number;
  readonly resource: ResourceKey;
  readonly title: Text;
  /** The data page draws voltages and currents of its devices as vectors of three phases. */
  readonly hasVectors: boolean;
}

const deviceType = (id: number, resource: ResourceKey, ru: string, en: string, mn: string): DeviceType => ({
  id,
  resource,
  title: { ru, en, mn },
  hasVectors: false,
});

const threePhase = (id: number, ru: string, en: string, mn: string): DeviceType => ({
  ...deviceType(id, "electricity", ru, en, mn),
  hasVectors: true,
});

/** Device types of the catalogue; ids are stored in databases. */
export const deviceTypes: readonly DeviceType[] = [
  deviceType(1, "water", "Счётчик воды", "Water meter", "Усны тоолуур"),
  threePhase(
    3,
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
  threePhase(
    29,
    "Анализатор качества электроэнергии",
    "Power quality analyser",
    "Цахилгааны чанарын анализатор",
  ),
  deviceType(
    30,
    "electricity",
    "Счётчик электроэнергии однофазный",
    "Single-phase electricity meter",
    "Нэг фазын цахилгаан тоолуур",
  ),
  deviceType(31, "heat", "Распределитель тепла", "Heat cost allocator", "Дулаан хуваарилагч"),
];
