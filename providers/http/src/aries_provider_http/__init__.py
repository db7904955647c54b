"""What every provider on HTTP needs: one request as one attempt, told as it comes.

A provider of a wire format is a `provider.HttpProvider` with an encoder and a decoder of its own. The parts serve
alone, too: `sse.EventReader`, `answer.AnswerReader`, `faults.FaultClassifier`, `keys.KeySource`,
`connection.Connection`.
"""

__all__: list[str] = []
