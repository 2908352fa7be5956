import { interfaces, resources } from "@metrum/vocabulary";
import { ResourceIcon } from "#ui/icon";
import type { Chip } from "#ui/list";
import { stateKinds, StatusGlyph } from "#ui/status";
import type { Said } from "./deviceCells.tsx";

/** Filters of the list; only existing models and interfaces are offered. */
export function chipsOf({ t, language, known = [] }: Said): readonly Chip[] {
  const used = new Set(known.flatMap((model) => model.interface_ids));
  const chip = (id: string, options: Chip["options"]) => ({ id, title: t(`filters.${id}`), options });
  return [
    chip(
      "status",
      (["on_time", "silent", "never", "off"] as const).map((id) => ({
        id,
        title: t(`state.${id}`),
        icon: <StatusGlyph kind={stateKinds[id]} />,
      })),
    ),
    chip(
      "resource",
      resources.map(({ deviceGroupId, title, key }) => ({
        id: String(deviceGroupId),
        title: title[language],
        icon: <ResourceIcon resource={key} />,
      })),
    ),
    chip(
      "model",
      known.map(({ id, brand, title }) => ({ id: String(id), title: `${brand} ${title}` })),
    ),
    chip(
      "interface",
      interfaces
        .filter(({ id }) => used.has(id))
        .map(({ id, title }) => ({ id: String(id), title: title[language] })),
    ),
    {
      ...chip(
        "active",
        (["active", "inactive"] as const).map((id) => ({ id, title: t(`active.${id}`) })),
      ),
      isSingle: true,
    },
  ];
}
