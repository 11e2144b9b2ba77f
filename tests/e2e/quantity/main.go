// Command quantity answers questions about resource quantities with apimachinery's own package.
//
// One question per line, a JSON array such as ["parse","1Gi"] or ["add","1","100m"]; one JSON answer per line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

type answer struct {
	Error  bool   `json:"error,omitempty"`
	Text   string `json:"text"`
	Format string `json:"format"`
	Value  int64  `json:"value"`
	Milli  int64  `json:"milli"`
	Nano   int64  `json:"nano"`
	Giga   int64  `json:"giga"`
	Int64  *int64 `json:"int64"`
	Float  string `json:"float"`
	Sign   int    `json:"sign"`
	Exact  *bool  `json:"exact,omitempty"`
}

func describe(q resource.Quantity) answer {
	a := answer{
		Format: string(q.Format),
		Value:  q.Value(),
		Milli:  q.MilliValue(),
		Nano:   q.ScaledValue(resource.Nano),
		Giga:   q.ScaledValue(resource.Giga),
		Float:  fmt.Sprintf("%016x", math.Float64bits(q.AsApproximateFloat64())),
		Sign:   q.Sign(),
	}
	if v, ok := q.AsInt64(); ok {
		a.Int64 = &v
	}
	a.Text = q.String()
	return a
}

func compute(question []string) (answer, error) {
	q, err := resource.ParseQuantity(question[1])
	if err != nil {
		return answer{Error: true}, nil
	}
	var other resource.Quantity
	var number int64
	switch question[0] {
	case "add", "sub", "cmp":
		if other, err = resource.ParseQuantity(question[2]); err != nil {
			return answer{Error: true}, nil
		}
	case "mul", "round":
		if number, err = strconv.ParseInt(question[2], 10, 64); err != nil {
			return answer{}, err
		}
	}
	switch question[0] {
	case "parse":
	case "neg":
		q.Neg()
	case "add":
		q.Add(other)
	case "sub":
		q.Sub(other)
	case "cmp":
		return answer{Sign: q.Cmp(other)}, nil
	case "mul":
		q.Mul(number)
	case "round":
		exact := q.RoundUp(resource.Scale(number))
		a := describe(q)
		a.Exact = &exact
		return a, nil
	default:
		return answer{}, fmt.Errorf("unknown question %q", question[0])
	}
	return describe(q), nil
}

func run() error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var question []string
		if err := json.Unmarshal(in.Bytes(), &question); err != nil {
			return err
		}
		a, err := compute(question)
		if err != nil {
			return err
		}
		if err := encoder.Encode(a); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	return out.Flush()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "quantity:", err)
		os.Exit(1)
	}
}
