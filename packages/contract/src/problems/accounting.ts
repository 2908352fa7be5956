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
  period_is_closed: kind(409, "Период уже закрыт", "The period is already closed", "Үе аль хэдийн хаагдсан"),
  period_is_open: kind(409, "Период не закрыт", "The period is not closed", "Үе хаагдаагүй"),
  period_running: kind(
    409,
    "Период ещё не закончился для всех точек учёта",
    "The period is not over yet for all accounting points",
    "Үе бүх тооцооны цэгт дуусаагүй байна",
  ),
  period_empty: kind(
    409,
    "В этом периоде нет ни одной точки учёта",
    "No accounting point belongs to this period",
    "Энэ үед нэг ч тооцооны цэг алга",
  ),
  period_recomputing: kind(
    409,
    "Показания периода ещё пересчитываются, приборов: {count}. Повторите через несколько секунд",
    "Readings of the period are still being computed, devices: {count}. Try again in some seconds",
    "Үеийн заалтыг тооцоолж байна, төхөөрөмж: {count}. Хэдэн секундын дараа дахин оролдоно уу",
  ),
  period_changed: kind(
    409,
    "Итоги изменились с тех пор, как вы их видели. Посмотрите их ещё раз",
    "The totals have changed since you saw them. Look at them again",
    "Таныг харснаас хойш дүн өөрчлөгдсөн. Дахин харна уу",
  ),
  period_incomplete: kind(
    409,
    "Точек учёта без полных данных: {count}. Подтвердите, что период закрывается с ними",
    "Accounting points that lack data: {count}. Confirm that the period is closed with them",
    "Өгөгдөл дутуу тооцооны цэг: {count}. Үеийг тэдэнтэй хамт хаахаа баталгаажуулна уу",
  ),
  period_same: kind(
    409,
    "Итоги не отличаются от последней версии: корректировать нечего",
    "The totals do not differ from the newest version: there is nothing to correct",
    "Дүн сүүлийн хувилбараас ялгаагүй: засах зүйл алга",
  ),
  period_limit: kind(
    409,
    "Не больше {max} периодов компании и версий периода",
    "At most {max} periods of a company, or versions of a period",
    "Компанийн үе болон үеийн хувилбар {max}-аас ихгүй",
  ),
} as const satisfies ProblemKinds;
