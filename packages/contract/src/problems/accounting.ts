import { kind, type ProblemKinds } from "./kind.ts";

/** Refusals concerning objects and accounting points. */
export const accountingProblems = {
  object_cycle: kind(
    409,
    "Объект нельзя перенести в него самого или в то, что ниже",
    "An object cannot be moved into itself or below itself",
    "Объектыг өөр дотор нь эсвэл доор нь шилжүүлэх боломжгүй",
  ),
  object_depth: kind(
    409,
    "Дерево объектов не глубже {max} уровней",
    "The tree of objects has at most {max} levels",
    "Объектын мод {max} түвшнээс ихгүй",
  ),
  object_limit: kind(
    409,
    "Не больше {max} объектов в этом месте дерева",
    "At most {max} objects in this place of the tree",
    "Модны энэ хэсэгт {max}-аас ихгүй объект",
  ),
  object_address_empty: kind(
    422,
    "В адресе нет ни одной части",
    "The address has no part",
    "Хаягт нэг ч хэсэг алга",
  ),
  object_users_tied: kind(
    409,
    "Пользователи, привязанные только к этой ветви: {count}. Без неё они увидели бы всю компанию, сначала отвяжите их",
    "Users tied to nothing but this branch: {count}. Without it they would see the whole company, so untie them first",
    "Зөвхөн энэ салаанд холбогдсон хэрэглэгч: {count}. Түүнгүйгээр бүх компанийг харах тул эхлээд салгана уу",
  ),
  period_closed: kind(
    409,
    "Расчётный период с {from} по {to} закрыт: это изменило бы его числа",
    "The settlement period from {from} to {to} is closed: this would alter its numbers",
    "{from}-аас {to} хүртэлх тооцооны үе хаагдсан: энэ нь түүний тоог өөрчилнө",
  ),
} as const satisfies ProblemKinds;
