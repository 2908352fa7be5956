import type { Text } from "@metrum/vocabulary";

interface ProblemKind {
  readonly status: number;
  readonly text: Text;
}

const kind = (status: number, ru: string, en: string, mn: string): ProblemKind => ({
  status,
  text: { ru, en, mn },
});

/**
 * Every refusal a user can meet: code on the wire, HTTP status, text in three languages. `{name}` is filled from the
 * parameters of the problem. Statuses: 400 unreadable body, 401 no or dead token, 403 right missing, 404 unknown or foreign,
 * 409 conflict, 413 too large, 422 wrong input and refused sign-in, 429 rate, 449 consent, 503 away.
 */
export const problems = {
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
    "Somebody else has changed this record",
    "Бичлэгийг өөр хэрэглэгч өөрчилсөн байна",
  ),
  too_large: kind(413, "Запрос слишком большой", "The request is too large", "Хүсэлт хэт том байна"),
  wrong_input: kind(
    422,
    "Проверьте введённые данные",
    "Check what was entered",
    "Оруулсан мэдээллээ шалгана уу",
  ),
  sign_in_refused: kind(
    422,
    "Неверная почта или пароль",
    "Wrong e-mail or password",
    "И-мэйл эсвэл нууц үг буруу",
  ),
  company_inactive: kind(
    422,
    "Компания отключена. Обратитесь к поставщику услуги",
    "The company is switched off. Ask your provider",
    "Компани идэвхгүй байна. Үйлчилгээ үзүүлэгчид хандана уу",
  ),
  company_expired: kind(
    422,
    "Срок обслуживания компании истёк",
    "The service period of the company has ended",
    "Компанийн үйлчилгээний хугацаа дууссан",
  ),
  own_company: kind(
    403,
    "Свою компанию меняют в её настройках",
    "Your own company is changed in its settings",
    "Өөрийн компанийг тохиргоонд нь өөрчилнө",
  ),
  entered_refused: kind(
    403,
    "В чужой компании это недоступно: пароль, почту, 2FA и ключи меняет сам владелец",
    "Not while you work as somebody else: the owner changes password, e-mail, 2FA and tokens",
    "Өөр хүний нэрийн өмнөөс боломжгүй: нууц үг, и-мэйл, 2FA, түлхүүрийг эзэн нь өөрчилнө",
  ),
  not_a_dealer: kind(
    403,
    "Подчинённые компании есть только у дилера",
    "Only a dealer has companies below it",
    "Зөвхөн дилер харьяа компанитай байна",
  ),
  consent_needed: kind(
    449,
    "Нужно согласие на обработку персональных данных",
    "Consent to the processing of personal data is needed",
    "Хувийн мэдээлэл боловсруулах зөвшөөрөл хэрэгтэй",
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
    "The database is away, try again in a few seconds",
    "Мэдээллийн сан түр холбогдохгүй байна",
  ),
  demo_refused: kind(
    403,
    "Демонстрационный пользователь ничего не меняет",
    "A demonstration user changes nothing",
    "Үзүүлэнгийн хэрэглэгч юу ч өөрчлөхгүй",
  ),
  command_unsupported: kind(
    422,
    "Модель прибора не поддерживает эту команду",
    "The device model does not support this command",
    "Төхөөрөмжийн загвар энэ тушаалыг дэмжихгүй",
  ),
  device_put_away: kind(
    409,
    "Прибор в архиве или в корзине",
    "The device is in the archive or in the trash",
    "Төхөөрөмж архивт эсвэл хогийн саванд байна",
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

export interface ProblemInput {
  readonly params?: Readonly<Record<string, string | number>>;
  /** Wrong fields with their texts or text codes. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
}

/** A refusal that a user meets; everything else that is thrown is a bug. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly params: Readonly<Record<string, string | number>>;
  readonly attributes: Readonly<Record<string, readonly string[]>>;

  constructor(code: ProblemCode, input: ProblemInput = {}) {
    super(code);
    this.code = code;
    this.params = input.params ?? {};
    this.attributes = input.attributes ?? {};
  }
}

/** Makes the refusal to throw: `throw problem("not_found")`. A not-found problem never echoes the id. */
export function problem(code: ProblemCode, input: ProblemInput = {}): Problem {
  return new Problem(code, input);
}
