"""Train a real vision-language model in ten minutes on one CPU core, and examine it while it learns.

A LLaVA of half a million weights (a small CLIP eye, a small Llama, one projector) learns to count up to five dots and
to name their colour, from pictures drawn on the spot. Nothing is downloaded. It is what a training loop looks like
from snellen's side: the live model and its processor are handed to `snellen.run` at every checkpoint.

    pip install 'snellen[local]'
    python examples/train_tiny_vlm.py tiny-vlm --minutes 10
    snellen compare --trend tiny-vlm/runs/*
    snellen run eyechart/dots --model hf:tiny-vlm/checkpoint --max-tokens 4     # more and smaller dots than it knows
    snellen run file:tiny-vlm/exam/exam.jsonl --model serve:tiny-vlm/checkpoint # the same model behind a server
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
from PIL import Image, ImageDraw
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import (
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)

import snellen

COLOURS = {"red": (214, 39, 40), "green": (44, 160, 44), "blue": (31, 119, 180), "orange": (255, 150, 20),
           "purple": (148, 103, 189), "black": (20, 20, 20)}  # fmt: skip
COUNTING = "How many dots are in the picture? Answer with the number only."
NAMING = "Which colour are the dots? Answer with one word."
MOST, SIDE_PX, PATCH_PX, BATCH = 5, 56, 14, 32
SPECIAL = ["<unk>", "<s>", "</s>", "<pad>", "<image>"]
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }} : {% for c in m['content'] %}{% if c['type'] == 'image' %}<image> "
    "{% else %}{{ c['text'] }} {% endif %}{% endfor %}{% endfor %}"
    "{% if add_generation_prompt %}assistant : {% endif %}"
)


def draw(rng: random.Random) -> tuple[Image.Image, str, str]:
    """A picture of equal dots that do not touch, a question on it, the answer."""
    n, colour = rng.randint(1, MOST), rng.choice(sorted(COLOURS))
    picture = Image.new("RGB", (2 * SIDE_PX, 2 * SIDE_PX), (255, 255, 255))
    pen, placed = ImageDraw.Draw(picture), []
    while len(placed) < n:
        radius = rng.uniform(6, 11)
        x, y = (rng.uniform(radius + 1, 2 * SIDE_PX - radius - 1) for _ in range(2))
        if all(math.dist((x, y), (a, b)) > radius + r + 3 for a, b, r in placed):
            placed.append((x, y, radius))
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=COLOURS[colour])
    picture = picture.resize((SIDE_PX, SIDE_PX), Image.Resampling.LANCZOS)
    return (picture, COUNTING, str(n)) if rng.random() < 0.75 else (picture, NAMING, colour)


def build() -> tuple[LlavaForConditionalGeneration, LlavaProcessor]:
    """The untrained model and its processor."""
    words = Whitespace().pre_tokenize_str(f"user : assistant : {COUNTING} {NAMING} {' '.join(COLOURS)}")
    answers = [str(n) for n in range(10)]
    vocabulary = dict.fromkeys([*SPECIAL, *(word for word, _ in words), *answers])
    inner = Tokenizer(WordLevel({word: i for i, word in enumerate(vocabulary)}, unk_token="<unk>"))
    inner.pre_tokenizer = Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="<unk>", bos_token="<s>", eos_token="</s>", pad_token="<pad>",
        extra_special_tokens={"image_token": "<image>"}, model_max_length=2048,
    )  # fmt: skip
    size = {"height": SIDE_PX, "width": SIDE_PX}
    eye = CLIPImageProcessorPil(size=size, do_center_crop=False)
    processor = LlavaProcessor(
        image_processor=eye, tokenizer=tokenizer, patch_size=PATCH_PX, vision_feature_select_strategy="default",
        num_additional_image_tokens=1, chat_template=TEMPLATE,
    )  # fmt: skip
    vision = CLIPVisionConfig(
        hidden_size=64, intermediate_size=128, num_hidden_layers=3, num_attention_heads=2, image_size=SIDE_PX,
        patch_size=PATCH_PX,
    )  # fmt: skip
    text = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, max_position_embeddings=2048, bos_token_id=1, eos_token_id=2, pad_token_id=3,
    )  # fmt: skip
    model = LlavaForConditionalGeneration(
        LlavaConfig(vision_config=vision, text_config=text, image_token_index=4, vision_feature_layer=-2)
    )
    for (
        module
    ) in model.modules():  # the usual start (0.02) is too small for so narrow a model: it would learn nothing
        if isinstance(module, torch.nn.Linear | torch.nn.Conv2d):
            torch.nn.init.xavier_uniform_(module.weight.view(len(module.weight), -1))
        elif isinstance(module, torch.nn.Embedding):
            torch.nn.init.normal_(module.weight, std=0.3)
    return model, processor


def batch(processor: LlavaProcessor, rng: random.Random) -> dict[str, torch.Tensor]:
    """Drawn questions as the model's tensors; only the answer is learnt."""
    drawn = [draw(rng) for _ in range(BATCH)]
    asked = [
        [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": question}]}]
        for _, question, _ in drawn
    ]
    prompts = [processor.apply_chat_template(one, add_generation_prompt=True, tokenize=False) for one in asked]
    texts = [f"{prompt}{answer}</s>" for prompt, (_, _, answer) in zip(prompts, drawn, strict=True)]
    inputs = processor(
        text=texts,
        images=[picture for picture, _, _ in drawn],
        padding=True,
        padding_side="left",
        return_tensors="pt",
    )
    labels = torch.full_like(inputs["input_ids"], -100)
    labels[:, -2:] = inputs["input_ids"][:, -2:]  # every answer is one word and the end
    return {**inputs, "labels": labels}


def write_exam(folder: Path, n: int) -> Path:
    """Questions that training never draws, in the form that `file:` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    rng, rows = random.Random("exam"), []
    for i in range(n):
        picture, question, answer = draw(rng)
        picture.save(folder / f"{i}.png")
        category = "count" if question == COUNTING else "colour"
        row = {"id": f"{category}-{i}", "image": f"{i}.png", "question": question, "answer": answer}
        rows.append({**row, "category": category})
    path = folder / "exam.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def main() -> None:
    """Train, examine four times on the way, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=1, help="torch threads; more than one rarely helps here")
    args = parser.parse_args()
    torch.manual_seed(0)
    np.random.seed(0)
    torch.set_num_threads(args.threads)
    model, processor = build()
    print(f"{sum(p.numel() for p in model.parameters()):,} weights")
    exam = write_exam(args.out / "exam", 200)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    rng, started, step, n_exams = random.Random(1), time.monotonic(), 0, 0
    model.train()
    while (share := (time.monotonic() - started) / (60 * args.minutes)) < 1:
        for group in optimizer.param_groups:  # a short warm-up, then down along a cosine
            group["lr"] = 1e-3 * min(1, (step + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * share))
        loss = model(**batch(processor, rng)).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if share > (n_exams + 1) / 4:
            n_exams += 1
            examine(args.out, exam, model, processor, step)
    examine(args.out, exam, model, processor, step)
    model.save_pretrained(args.out / "checkpoint")
    processor.save_pretrained(args.out / "checkpoint")
    print(
        f"saved: {args.out / 'checkpoint'}; examine it: snellen run file:{exam} --model hf:{args.out / 'checkpoint'}"
    )


def examine(out: Path, exam: Path, model: torch.nn.Module, processor: LlavaProcessor, step: int) -> None:
    """A run of the live model; it goes on training afterwards."""
    result = snellen.run(
        f"file:{exam}", (model, processor), name=f"tiny-vlm-step-{step}", tags={"step": str(step)}, max_tokens=4,
        out=out / "runs",
    )  # fmt: skip
    cells = {name: f"{100 * score:.0f} %" for name, score in scores_of(result).items()}
    print(f"step {step}: {100 * result.score:.1f} % {cells}", flush=True)


def scores_of(result: Any) -> dict[str, float]:
    """Mean score of each category."""
    groups: dict[str, list[float]] = {}
    for row in result.rows():
        groups.setdefault(row["category"], []).append(row["value"] or 0.0)
    return {name: sum(values) / len(values) for name, values in groups.items()}


if __name__ == "__main__":
    main()
