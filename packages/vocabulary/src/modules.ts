import type { Text } from "./text.ts";

/** Modules used in rights. 3 and 9 are never in the menu; 6 has two menu entries (objects, directories). */
export const modules = [
  { id: 5, slug: "dashboard", title: { ru: "Обзор", en: "Dashboard", mn: "Хянах самбар" } },
  { id: 4, slug: "devices", title: { ru: "Устройства", en: "Devices", mn: "Төхөөрөмж" } },
  { id: 6, slug: "objects", title: { ru: "Объекты", en: "Objects", mn: "Объект" } },
  { id: 6, slug: "directories", title: { ru: "Справочники", en: "Directories", mn: "Лавлах" } },
  { id: 7, slug: "reports", title: { ru: "Отчёты", en: "Reports", mn: "Тайлан" } },
  { id: 8, slug: "events", title: { ru: "События", en: "Events", mn: "Үйл явдал" } },
  { id: 2, slug: "companies", title: { ru: "Компании", en: "Companies", mn: "Компани" } },
  { id: 1, slug: "users", title: { ru: "Пользователи", en: "Users", mn: "Хэрэглэгч" } },
  { id: 3, slug: "access_rules", title: { ru: "Правила доступа", en: "Access rules", mn: "Хандалтын эрх" } },
  { id: 9, slug: "objects_map", title: { ru: "Карта", en: "Map", mn: "Газрын зураг" } },
] as const satisfies readonly { id: number; slug: string; title: Text }[];

/** Modules whose entries the menu never shows (ACL-005). */
export const hiddenModuleIds: readonly number[] = [3, 9];

export const accessActions = ["create", "read", "update", "delete", "access_all"] as const;
export type AccessAction = (typeof accessActions)[number];
