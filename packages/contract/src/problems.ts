import type { Text } from "@metrum/vocabulary";
import type { FieldFault, Params } from "./fieldFaults.ts";

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
  password_change_needed: kind(
    403,
    "Сначала смените пароль",
    "Change your password first",
    "Эхлээд нууц үгээ солино уу",
  ),
  two_factor_needed: kind(
    403,
    "Компания требует двухфакторный вход: сначала включите его",
    "Your company requires two-factor sign-in: set it up first",
    "Компани хоёр шатлалт нэвтрэлт шаарддаг: эхлээд идэвхжүүлнэ үү",
  ),
  token_refused: kind(
    403,
    "Ключом API это не делается: войдите с паролем",
    "Not with an API token: sign in with the password",
    "API түлхүүрээр боломжгүй: нууц үгээр нэвтэрнэ үү",
  ),
  password_wrong: kind(
    422,
    "Текущий пароль неверен",
    "The current password is wrong",
    "Одоогийн нууц үг буруу",
  ),
  two_factor_on: kind(
    409,
    "Двухфакторный вход уже включён",
    "Two-factor sign-in is on already",
    "Хоёр шатлалт нэвтрэлт аль хэдийн идэвхтэй",
  ),
  two_factor_off: kind(
    409,
    "Двухфакторный вход не включён",
    "Two-factor sign-in is not on",
    "Хоёр шатлалт нэвтрэлт идэвхгүй",
  ),
  too_many_tokens: kind(
    409,
    "Ключей API не больше {max}: завершите ненужные",
    "At most {max} API tokens: end those that are not needed",
    "API түлхүүр {max}-аас ихгүй: хэрэггүйг нь дуусгана уу",
  ),
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
  key_reused: kind(
    409,
    "Этот ключ повтора уже пришёл с другим запросом",
    "This idempotency key has come with another request",
    "Энэ давталтын түлхүүр өөр хүсэлттэй ирсэн байна",
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
  companies_below: kind(
    409,
    "Сначала удалите или перенесите компании под ней",
    "Delete or move the companies below it first",
    "Эхлээд доорх компаниудыг устгах эсвэл шилжүүлнэ үү",
  ),
  companies_above: kind(
    409,
    "Сначала восстановите компанию над ней",
    "Bring the company above it back first",
    "Эхлээд дээд компанийг сэргээнэ үү",
  ),
  own_branch: kind(
    422,
    "Компанию нельзя перенести в её собственную ветвь",
    "A company cannot be moved into its own branch",
    "Компанийг өөрийнх нь салбарт шилжүүлэх боломжгүй",
  ),
  service_unavailable: kind(
    422,
    "Услуга сейчас не предоставляется",
    "The service is not offered at present",
    "Үйлчилгээг одоогоор үзүүлэхгүй байна",
  ),
  service_not_configured: kind(
    422,
    "Выгрузка не настроена на этой установке. Обратитесь к поставщику услуги",
    "This export is not set up on this installation. Ask your provider",
    "Энэ экспорт тохируулагдаагүй байна. Үйлчилгээ үзүүлэгчид хандана уу",
  ),
  service_off: kind(
    422,
    "Услуга у компании не включена. Включите её в настройках компании",
    "The company does not have this service switched on. Switch it on in the company settings",
    "Компанид энэ үйлчилгээ идэвхгүй. Компанийн тохиргоонд идэвхжүүлнэ үү",
  ),
  easy_password: kind(
    422,
    "Пароль слишком простой: нужны строчная и заглавная буквы, цифра и один из знаков !@#$%^&*",
    "The password is too easy: it needs a small and a capital letter, a digit and one of !@#$%^&*",
    "Нууц үг хэт хялбар: жижиг ба том үсэг, тоо, !@#$%^&* тэмдгийн аль нэг хэрэгтэй",
  ),
  common_password: kind(
    422,
    "Такой пароль подбирают одним из первых, придумайте другой",
    "This password is among the first that are guessed, choose another one",
    "Ийм нууц үгийг хамгийн түрүүнд таадаг, өөрийг сонгоно уу",
  ),
  password_not_equal: kind(
    422,
    "Пароли не совпадают",
    "The passwords are not equal",
    "Нууц үгүүд таарахгүй байна",
  ),
  registration_closed: kind(
    403,
    "Самостоятельная регистрация закрыта. Обратитесь к администратору",
    "Registration is closed here. Ask the administrator",
    "Бүртгэл хаалттай. Администраторт хандана уу",
  ),
  link_dead: kind(
    422,
    "Ссылка уже использована или устарела. Запросите новую",
    "The link has been used or is too old. Ask for a new one",
    "Холбоосыг ашигласан эсвэл хугацаа нь дууссан. Шинээр хүснэ үү",
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
  not_supported_yet: kind(
    422,
    "Этот параметр пока не поддерживается",
    "This argument is not supported yet",
    "Энэ параметрийг одоогоор дэмжихгүй",
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
  entry_code_refused: kind(
    401,
    "Код входа не подходит: он действует 60 секунд, один раз и только у того, кто его получил",
    "The entry code is refused: it works for 60 seconds, once, and only for whoever asked for it",
    "Нэвтрэх код тохирохгүй: 60 секунд, нэг удаа, зөвхөн авсан хүндээ үйлчилнэ",
  ),
  user_inactive: kind(422, "Пользователь отключён", "The user is switched off", "Хэрэглэгч идэвхгүй байна"),
  licence_not_here: kind(
    403,
    "Лицензией ведает администратор первой компании серверной установки",
    "Administrators of the first company of a server installation look after the licence",
    "Лицензийг серверийн суурилуулалтын эхний компанийн админ хариуцна",
  ),
  licence_invalid: kind(
    422,
    "Файл лицензии не подходит: он изменён, подписан не нами или не читается",
    "The licence file does not hold: it was changed, is not signed by us or cannot be read",
    "Лицензийн файл тохирохгүй: өөрчлөгдсөн, манай гарын үсэггүй эсвэл уншигдахгүй",
  ),
  licence_expired: kind(
    403,
    "Лицензия закончилась {date}: новые устройства, опрос вручную и управление недоступны. Данные и опрос по расписанию работают",
    "The licence ended on {date}: no new devices, manual polls or control. Data and scheduled collection go on",
    "Лиценз {date}-нд дууссан: шинэ төхөөрөмж, гараар асуулга, удирдлага боломжгүй. Өгөгдөл, хуваарьт асуулга үргэлжилнэ",
  ),
  device_limit_reached: kind(
    403,
    "По лицензии устройств не больше {max}, занято {count}",
    "The licence allows {max} devices, {count} are taken",
    "Лицензээр {max} төхөөрөмж зөвшөөрөгдсөн, {count} ашиглагдаж байна",
  ),
  email_unavailable: kind(
    422,
    "Этот адрес использовать нельзя, укажите другой",
    "This address cannot be used, give another one",
    "Энэ хаягийг ашиглах боломжгүй, өөр хаяг өгнө үү",
  ),
  name_taken: kind(422, "Такое название уже есть", "This name is already taken", "Ийм нэр аль хэдийн байна"),
  right_not_held: kind(
    403,
    "Нельзя дать или изменить права шире своих",
    "Rights wider than your own can be neither given nor changed",
    "Өөрийнхөөсөө өргөн эрхийг олгох, өөрчлөх боломжгүй",
  ),
  own_account: kind(
    403,
    "Свою учётную запись меняют в профиле; удалить или отключить себя нельзя",
    "Your own account is changed in the profile; nobody removes or switches off himself",
    "Өөрийн бүртгэлийг профайлд өөрчилнө; өөрийгөө устгах, идэвхгүй болгох боломжгүй",
  ),
  last_admin: kind(
    409,
    "Это последний действующий администратор компании",
    "This is the last active administrator of the company",
    "Энэ бол компанийн сүүлчийн идэвхтэй администратор",
  ),
  group_in_use: kind(
    409,
    "Группа используется, пользователей в ней: {count}",
    "The group is in use, users in it: {count}",
    "Бүлэг ашиглагдаж байна, хэрэглэгчийн тоо: {count}",
  ),
  not_invited: kind(
    409,
    "Пользователь уже входил в систему, приглашение не нужно",
    "The user has already signed in and needs no invitation",
    "Хэрэглэгч аль хэдийн нэвтэрсэн тул урилга хэрэггүй",
  ),
  platform_only: kind(
    403,
    "Это настраивает персонал платформы",
    "Platform staff set this up",
    "Үүнийг платформын ажилтан тохируулна",
  ),
  host_taken: kind(
    409,
    "Адрес занят оформлением другой компании",
    "The design of another company has this host",
    "Энэ хаягийг өөр компанийн загвар эзэлсэн",
  ),
  captcha_needed: kind(
    422,
    "Введите символы с картинки",
    "Enter the characters of the picture",
    "Зураг дээрх тэмдэгтийг оруулна уу",
  ),
  captcha_wrong: kind(
    422,
    "Символы введены неверно, вот новая картинка",
    "The characters are wrong; here is a new picture",
    "Тэмдэгт буруу байна, шинэ зураг гарлаа",
  ),
  one_time_code_needed: kind(
    422,
    "Введите одноразовый код",
    "Enter the one-time code",
    "Нэг удаагийн кодыг оруулна уу",
  ),
  one_time_code_wrong: kind(
    422,
    "Одноразовый код не подошёл",
    "The one-time code is wrong or has been used",
    "Нэг удаагийн код буруу эсвэл ашиглагдсан байна",
  ),
  directory_away: kind(
    503,
    "Каталог компании не отвечает. Собственные пароли Metrum действуют",
    "The directory of the company does not answer. Passwords of Metrum itself work",
    "Компанийн лавлах хариу өгөхгүй байна. Metrum-ийн өөрийн нууц үг ажиллана",
  ),
  provider_away: kind(
    503,
    "Сервер единого входа не отвечает, войдите по паролю",
    "The sign-on provider does not answer; sign in by password",
    "Нэгдсэн нэвтрэлтийн сервер хариу өгөхгүй байна, нууц үгээр нэвтэрнэ үү",
  ),
  provider_refused: kind(
    422,
    "Вход через сервер единого входа не удался, начните заново",
    "The sign-in at the provider has failed; begin anew",
    "Нэгдсэн нэвтрэлт амжилтгүй боллоо, дахин эхлүүлнэ үү",
  ),
  no_account: kind(
    422,
    "В Metrum нет действующего пользователя с вашей почтой. Обратитесь к администратору",
    "Metrum has no active user of your e-mail address. Ask your administrator",
    "Metrum-д таны и-мэйлтэй идэвхтэй хэрэглэгч алга. Администраторт хандана уу",
  ),
  unknown_model: kind(
    422,
    "Такой модели в каталоге нет",
    "The catalogue has no such model",
    "Каталогт ийм загвар алга",
  ),
  identifier_taken: kind(
    409,
    "Идентификатор уже занят: {name}",
    "The identifier is already taken: {name}",
    "Танигч аль хэдийн ашиглагдаж байна: {name}",
  ),
  simulation_off: kind(
    409,
    "Имитация приборов в этой установке выключена (METRUM_DEMO)",
    "Simulated devices are switched off in this installation (METRUM_DEMO)",
    "Энэ суурилуулалтад загварчлал унтраалттай (METRUM_DEMO)",
  ),
  simulation_full: kind(
    409,
    "Больше имитаций нет: сначала удалите одну",
    "There is no room for another simulation: remove one first",
    "Дахин загварчлал багтахгүй: эхлээд нэгийг устгана уу",
  ),
  bridge_off: kind(
    409,
    "Прозрачные порты в этой установке выключены (METRUM_BRIDGE_PORTS)",
    "Transparent ports are switched off in this installation (METRUM_BRIDGE_PORTS)",
    "Энэ суурилуулалтад тунгалаг портууд унтраалттай (METRUM_BRIDGE_PORTS)",
  ),
  bridge_busy: kind(
    409,
    "Линию уже занимает другой прозрачный порт",
    "The line is taken by another transparent port",
    "Шугамыг өөр тунгалаг порт эзэлсэн байна",
  ),
  bridge_full: kind(
    409,
    "Все прозрачные порты установки заняты: закройте ненужный или подождите, пока один освободится",
    "All transparent ports of this installation are taken: close one, or wait until one is free",
    "Энэ суурилуулалтын бүх тунгалаг порт эзлэгдсэн: нэгийг хаах, эсвэл чөлөөлөгдөхийг хүлээнэ үү",
  ),
  line_down: kind(
    409,
    "Нет связи с линией: прозрачный порт не открыт",
    "The line is not connected: no transparent port was opened",
    "Шугамтай холбоогүй: тунгалаг порт нээгдсэнгүй",
  ),
  codec_model: kind(
    422,
    "Свой кодек бывает только у моделей LoRaWAN",
    "Only models on LoRaWAN take a codec of your own",
    "Зөвхөн LoRaWAN загвар өөрийн кодектой байна",
  ),
  import_refused: kind(
    422,
    "Файл не принят, ничего не записано. Ошибок: {count}",
    "The file was refused and nothing was stored. Errors: {count}",
    "Файлыг хүлээж авсангүй, юу ч хадгалаагүй. Алдаа: {count}",
  ),
  mapping_limit: kind(
    409,
    "Сопоставлений не больше {max}: удалите ненужные",
    "At most {max} mappings: remove those that are not needed",
    "Харгалзуулалт {max}-аас ихгүй: хэрэггүйг нь устгана уу",
  ),
  broker_elsewhere: kind(
    409,
    "Брокер MQTT внешний: пароль выдаёт тот, кто им управляет",
    "The MQTT broker is an external one: whoever runs it gives passwords",
    "MQTT брокер гадаад тул нууц үгийг түүнийг ажиллуулагч олгоно",
  ),
  push_token: kind(
    403,
    "Подпись сетевого сервера не подходит к ключу AS",
    "The token of the network server does not fit the AS key",
    "Сүлжээний серверийн токен AS түлхүүрт тохирохгүй байна",
  ),
  network_server_limit: kind(
    409,
    "Сетевых серверов не больше {max}: удалите ненужные",
    "At most {max} network servers: remove those that are not needed",
    "Сүлжээний сервер {max}-аас ихгүй: хэрэггүйг нь устгана уу",
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/** Wrong fields by their path with what is wrong: a code of fieldFaults, with or without parameters, or a code that the reader words. */
export type WrongFields = Readonly<Record<string, readonly (string | FieldFault)[]>>;

export interface ProblemInput {
  readonly params?: Params;
  readonly attributes?: WrongFields;
}

/** A refusal that a user meets; everything else that is thrown is a bug. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly params: Params;
  readonly attributes: WrongFields;

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
