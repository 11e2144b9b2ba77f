"""What can go wrong between a component and the API server."""

from collections.abc import Mapping

import msgspec


class KubeError(Exception):
    """Base of everything that `koord.kube` raises."""


class ConfigurationError(KubeError):
    """The kubeconfig, service account files or credential plugin cannot be used; the message names which and why."""


class UnreachableError(KubeError):
    """No answer came: the connection was refused, broke, or stayed silent beyond its deadline."""


class StreamBrokenError(KubeError):
    """A watch delivered something that is no watch event; what came before it is good."""


class Cause(msgspec.Struct, frozen=True):
    """One reason of a refusal: the field it is about and what is wrong with it."""

    reason: str = ""
    message: str = ""
    field: str = ""


class StatusDetails(msgspec.Struct, frozen=True, rename="camel"):
    """What a refusal is about."""

    name: str = ""
    group: str = ""
    kind: str = ""
    uid: str = ""
    causes: tuple[Cause, ...] | None = None
    retry_after_seconds: int = 0


class Status(msgspec.Struct, frozen=True):
    """metav1.Status, the body of every refusal and of a watch's ERROR event."""

    message: str = ""
    reason: str = ""
    code: int = 0
    details: StatusDetails | None = None


class ApiError(KubeError):
    """The API server refused a request.

    `code` is the HTTP status, `reason` the machine-readable word (`NotFound`, `Conflict`, …), `causes` the fields
    that were wrong, `retry_after_s` how long the server asks to wait (None: it does not say).
    """

    def __init__(self, request: str, status: Status, retry_after_s: float | None = None) -> None:
        self.request = request
        self.code = status.code
        self.reason = status.reason
        self.message = status.message
        self.details = status.details or StatusDetails()
        self.causes = self.details.causes or ()
        self.retry_after_s = retry_after_s
        super().__init__(f"{request}: {status.code} {status.reason or 'Unknown'}: {status.message}")


class BadRequestError(ApiError):
    """400: the request itself is malformed."""


class UnauthorizedError(ApiError):
    """401: the credentials are not accepted, also after they were read anew."""


class ForbiddenError(ApiError):
    """403: a rule is missing in the component's role, or an admission plugin refused."""


class NotFoundError(ApiError):
    """404: no such object or kind."""


class ConflictError(ApiError):
    """409: the object changed since it was read, or another field manager owns a field."""


class AlreadyExistsError(ConflictError):
    """409 with reason AlreadyExists: an object of this name is there."""


class ExpiredError(ApiError):
    """410: the resource version or continue token is too old; list anew."""


class InvalidError(ApiError):
    """422: the object breaks its schema or a rule; see `causes`."""


class TooManyRequestsError(ApiError):
    """429: the server is overloaded, or a disruption budget forbids the eviction."""


_BY_CODE: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: ExpiredError,
    422: InvalidError,
    429: TooManyRequestsError,
}
_STATUS = msgspec.json.Decoder(Status)
_LONGEST_BODY = 300


def error_of_status(request: str, status: Status, retry_after_s: float | None = None) -> ApiError:
    """The error that a Status object stands for."""
    if retry_after_s is None and status.details is not None and status.details.retry_after_seconds > 0:
        retry_after_s = float(status.details.retry_after_seconds)
    if status.reason == "AlreadyExists":
        return AlreadyExistsError(request, status, retry_after_s)
    if status.reason == "Expired":
        return ExpiredError(request, status, retry_after_s)
    return _BY_CODE.get(status.code, ApiError)(request, status, retry_after_s)


def error_of_response(request: str, code: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The error that an HTTP response of status 400 or above stands for, whether or not its body is a Status."""
    try:
        status = msgspec.structs.replace(_STATUS.decode(body), code=code)
    except msgspec.DecodeError:
        status = Status(message=body[:_LONGEST_BODY].decode(errors="replace").strip(), code=code)
    return error_of_status(request, status, _retry_after(headers))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header; its date form is not used by API servers."""
    value = headers.get("Retry-After", "")
    return float(value) if value.isdigit() else None
