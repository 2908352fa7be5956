import { kind, type ProblemKinds } from "./kind.ts";

/** Refusals of any call. */
export const coreProblems = {
  unreadable_body: kind(
    400,
    "Тело запроса не читается",
    "The request body cannot be read",
    "Хүсэлтийн бие уншигдахгүй байна",
  ),
  not_signed_in: kind(401, "Войдите в систему", "Sign in first", "Эхлээд нэвтэрнэ үү"),
  right_missing: kind(
    403,
    "Недостаточно прав для этого действия",
    "You do not have the right to do this",
    "Энэ үйлдлийг хийх эрх алга",
  ),
  not_found: kind(404, "Не найдено", "Not found", "Олдсонгүй"),
  conflict: kind(
    409,
    "Запись изменена другим пользователем",
    "Another user has changed this record",
    "Бичлэгийг өөр хэрэглэгч өөрчилсөн байна",
  ),
  too_large: kind(413, "Запрос слишком большой", "The request is too large", "Хүсэлт хэт том байна"),
  file_too_long: kind(
    422,
    "Строк больше {max}: сузьте список фильтром",
    "More than {max} rows: narrow the list by a filter",
    "{max}-аас олон мөр: жагсаалтыг шүүлтээр нарийсгана уу",
  ),
  wrong_input: kind(422, "Проверьте введённые данные", "Check the fields", "Оруулсан мэдээллээ шалгана уу"),
  key_reused: kind(
    409,
    "Этот ключ повтора уже пришёл с другим запросом",
    "This idempotency key was used with another request",
    "Энэ давталтын түлхүүр өөр хүсэлттэй ирсэн байна",
  ),
  too_many_requests: kind(
    429,
    "Слишком много запросов, повторите позже",
    "Too many requests, try again later",
    "Хэт олон хүсэлт, дараа дахин оролдоно уу",
  ),
  internal: kind(
    500,
    "Внутренняя ошибка, мы о ней уже знаем",
    "Internal error; it has been logged",
    "Дотоод алдаа гарлаа, бүртгэгдсэн",
  ),
  database_away: kind(
    503,
    "База данных недоступна, повторите через несколько секунд",
    "The database is unavailable, try again in a few seconds",
    "Мэдээллийн сан түр холбогдохгүй байна",
  ),
  storage_full: kind(
    503,
    "На диске сервера нет места: новые данные пока не сохраняются",
    "The disk of the server is full: nothing can be stored for now",
    "Серверийн диск дүүрсэн тул одоогоор юу ч хадгалах боломжгүй",
  ),
  busy: kind(
    503,
    "Слишком много одновременных запросов, повторите через несколько секунд",
    "Too many requests at the same time, try again in a few seconds",
    "Нэгэн зэрэг хэт олон хүсэлт байна, хэдэн секундын дараа дахин оролдоно уу",
  ),
  not_supported_yet: kind(
    422,
    "Этот параметр пока не поддерживается",
    "This argument is not supported yet",
    "Энэ параметрийг одоогоор дэмжихгүй",
  ),
} as const satisfies ProblemKinds;
