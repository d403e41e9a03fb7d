"""Neural networks, layer by layer: their inference, or a step of their training."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_choice, check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError, WeightError
from dagpart.generate._arguments import Weights, fits
from dagpart.generate._edges import merged_edges, weighed

# What the backward pass of a layer needs from the forward pass: what went in, what came out, or nothing.
Saved = Literal["inputs", "output", "nothing"]

# Operations for each entry. Norms: 1 for the mean, 3 for the variance, 4 to scale and shift. Softmax: a
# maximum, difference, exponential, sum, quotient. GELU: by the formula with a tangent, which counts as one.
_NORM, _SOFTMAX, _GELU = 8, 5, 9
# Single sizes, and weights.
_MOST = 2**20
_LARGEST = 2**60


@dataclass(frozen=True)
class Layer:
    """One layer of a network.

    Attributes
    ----------
    name : str
    inputs : tuple of int
        Layers whose outputs it takes.
    flops : int
        Of the forward pass.
    outputs : int
        Numbers that it puts out.
    parameters : int
        Numbers that it learns.
    products : bool
        Whether it multiplies two things, weights or inputs, so that its backward pass has two gradients to
        make, each with the work of the forward pass.
    saved : {"inputs", "output", "nothing"}
        What its backward pass needs from the forward pass.
    """

    name: str
    inputs: tuple[int, ...]
    flops: int
    outputs: int
    parameters: int
    products: bool
    saved: Saved


class Network:
    """A network as a list of layers; the first is the input.

    Attributes
    ----------
    layers : list of Layer
        Each after those it takes outputs of.

    Examples
    --------
    >>> net = network("resnet")
    >>> net.parameters, len(net.layers)
    (25557032, 175)
    """

    def __init__(self, inputs: int) -> None:
        self.layers = [Layer("input", (), 0, inputs, 0, False, "nothing")]

    def add(
        self,
        name: str,
        inputs: Sequence[int],
        *,
        flops: int,
        outputs: int,
        parameters: int = 0,
        products: bool = False,
        saved: Saved = "inputs",
    ) -> int:
        """Append a layer; returns its number."""
        self.layers.append(Layer(name, tuple(inputs), flops, outputs, parameters, products, saved))
        return len(self.layers) - 1

    @property
    def parameters(self) -> int:
        """Numbers that all layers learn."""
        return sum(layer.parameters for layer in self.layers)

    @property
    def flops(self) -> int:
        """Operations of a forward pass."""
        return sum(layer.flops for layer in self.layers)

    def dag(self, *, training: bool = True, weights: Weights = "unit", element: int = 4) -> Dag:
        """The task graph of a forward pass, and of the backward pass that follows it.

        Parameters
        ----------
        training : bool, default True
            Whether there is a loss and a backward pass.
        weights : {"unit", "cost"}
            "cost": vertices weigh their flops, edges the bytes of the activations and gradients on them.
        element : int, default 4
            Bytes of a number.

        Returns
        -------
        Dag
            The layers in order, called by their names; when training also "loss", and the backward passes
            "d:" + name in reverse order, of all layers but the input. A layer passes its output to the layers
            that take it, and its backward pass the gradients the other way. A backward pass also gets what
            it needs of the forward pass: the inputs or the output of its layer. It does twice the work of
            the forward pass if the layer multiplies, else as much.

        Raises
        ------
        DagpartError
            If an argument is out of range.

        Examples
        --------
        >>> net = Network(inputs=10)
        >>> _ = net.add("fc", [0], flops=100, outputs=5, parameters=50, products=True)
        >>> dag = net.dag(weights="cost")
        >>> dag.names, dag.vertex_weights.tolist()
        (('input', 'fc', 'loss', 'd:fc'), [0, 100, 5, 200])
        >>> dag.to_scipy().toarray().tolist()
        [[0, 40, 0, 40], [0, 0, 20, 0], [0, 0, 0, 20], [0, 0, 0, 0]]
        """
        element = check_size(element, "element", most=_MOST)
        check_choice(weights, "weights", ("unit", "cost"))
        count = len(self.layers)
        numbers = [layer.outputs for layer in self.layers]
        edges = [(u, v, numbers[u]) for v, layer in enumerate(self.layers) for u in layer.inputs]
        names = [layer.name for layer in self.layers]
        flops = [layer.flops for layer in self.layers]
        if training:
            loss, last = count, count - 1
            edges.append((last, loss, numbers[last]))
            names.append("loss")
            flops.append(numbers[last])
            gradient = [2 * count - v for v in range(count)]
            edges.append((loss, gradient[last], numbers[last]))
            for v in range(last, 0, -1):
                layer = self.layers[v]
                names.append(f"d:{layer.name}")
                flops.append((1 + layer.products) * layer.flops)
                edges += [(gradient[v], gradient[u], numbers[u]) for u in layer.inputs if u]
                if layer.saved == "inputs":
                    edges += [(u, gradient[v], numbers[u]) for u in layer.inputs]
                elif layer.saved == "output":
                    edges.append((v, gradient[v], numbers[v]))
        return _named(names, flops, edges, element, weights)


def mlp(
    layers: int,
    *,
    width: int | Sequence[int] = 1024,
    batch: int = 32,
    training: bool = True,
    weights: Weights = "unit",
    element: int = 4,
) -> Dag:
    """Multilayer perceptron: a chain of linear layers, each followed by a rectifier.

    Parameters
    ----------
    layers : int
        Linear layers; the last has no rectifier.
    width : int or sequence of int, default 1024
        Numbers that each layer puts out; or a list of them, with those of the input before, ``layers + 1`` in
        all.
    batch : int, default 32
        Examples that go through together.
    training : bool, default True
        Whether there is a loss and a backward pass, see `Network.dag`.
    weights : {"unit", "cost"}
        "cost": vertices weigh their flops, edges the bytes of the activations and gradients on them.
    element : int, default 4
        Bytes of a number.

    Returns
    -------
    Dag
        ``2 * layers`` vertices, or ``4 * layers`` when training, with names.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    D. E. Rumelhart, G. E. Hinton and R. J. Williams, "Learning representations by back-propagating errors",
    Nature 323, 1986.

    Examples
    --------
    >>> mlp(2).names
    ('input', 'fc1', 'relu1', 'fc2', 'loss', 'd:fc2', 'd:relu1', 'd:fc1')
    """
    net = _mlp(layers, width, batch)
    return net.dag(training=training, weights=weights, element=element)


def resnet(
    blocks: Sequence[int] = (3, 4, 6, 3),
    *,
    bottleneck: bool = True,
    channels: int = 64,
    image: int = 224,
    batch: int = 1,
    classes: int = 1000,
    training: bool = True,
    weights: Weights = "unit",
    element: int = 4,
) -> Dag:
    """Residual network.

    A first convolution and pooling, stages of residual blocks, each stage at half the resolution of the one
    before, and a linear layer on the mean over the image. A block is two convolutions, or three with a
    bottleneck, around which its input is added to its output.

    Parameters
    ----------
    blocks : sequence of int, default (3, 4, 6, 3)
        Blocks of each stage. Those of ResNet-50; (3, 4, 23, 3) and (3, 8, 36, 3) are ResNet-101 and -152;
        without bottlenecks (2, 2, 2, 2) and (3, 4, 6, 3) are ResNet-18 and -34.
    bottleneck : bool, default True
    channels : int, default 64
        Of the first stage; each stage has twice as many as the one before.
    image : int, default 224
        Rows and columns of the image, of three colours.
    batch, training, weights, element
        As for `mlp`.
    classes : int, default 1000
        Numbers that are put out.

    Returns
    -------
    Dag
        A vertex for each convolution, normalization, rectifier, addition and pooling, with names.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    K. He, X. Zhang, S. Ren and J. Sun, "Deep residual learning for image recognition", CVPR 2016.

    Examples
    --------
    >>> resnet(training=False).n
    175
    """
    net = _resnet(blocks, bottleneck, channels, image, batch, classes)
    return net.dag(training=training, weights=weights, element=element)


def unet(
    levels: int = 4,
    *,
    channels: int = 64,
    image: int = 256,
    batch: int = 1,
    colours: int = 3,
    classes: int = 2,
    training: bool = True,
    weights: Weights = "unit",
    element: int = 4,
) -> Dag:
    """U-Net: an image is condensed level by level and blown up again, with a short cut at each level.

    Each level is two convolutions; then comes pooling on the way down, and on the way up a transposed
    convolution, the result of which is put together with what the level had on the way down.

    Parameters
    ----------
    levels : int, default 4
        How often the resolution is halved.
    channels : int, default 64
        At full resolution; twice as many at each level down.
    image : int, default 256
        Rows and columns of the image, a multiple of ``2**levels``.
    colours, classes : int
        Channels of the image and of the result.
    batch, training, weights, element
        As for `mlp`.

    Returns
    -------
    Dag
        A vertex for each convolution, normalization, rectifier, pooling and concatenation, with names.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    O. Ronneberger, P. Fischer and T. Brox, "U-Net: convolutional networks for biomedical image segmentation",
    MICCAI 2015; here convolutions keep the size of the image, and are normalized.

    Examples
    --------
    >>> unet(2, training=False).n
    38
    """
    net = _unet(levels, channels, image, batch, colours, classes)
    return net.dag(training=training, weights=weights, element=element)


def transformer(
    layers: int = 12,
    *,
    width: int = 768,
    heads: int = 12,
    length: int = 1024,
    batch: int = 1,
    vocabulary: int = 50257,
    split_heads: bool = False,
    training: bool = True,
    weights: Weights = "unit",
    element: int = 4,
) -> Dag:
    """Transformer, decoder only: a language model.

    Blocks of self-attention [1]_ and of a two-layer perceptron, four times as wide; each with a normalization
    before and a short cut around. The embedding of the words serves as the last layer too.

    Parameters
    ----------
    layers : int, default 12
        Blocks. The defaults are those of GPT-2 [2]_.
    width : int, default 768
        Numbers for each word, a multiple of `heads`.
    heads : int, default 12
        Attentions that are computed side by side.
    length : int, default 1024
        Words of a text.
    vocabulary : int, default 50257
        Different words.
    split_heads : bool, default False
        Whether each head's scores, softmax and mean are vertices of their own, with the numbers that the head
        needs on its edges.
    batch, training, weights, element
        As for `mlp`.

    Returns
    -------
    Dag
        A vertex for each linear layer, product, softmax, normalization and addition, with names.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    .. [1] A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, L. Kaiser and
       I. Polosukhin, "Attention is all you need", NeurIPS 2017.
    .. [2] A. Radford, J. Wu, R. Child, D. Luan, D. Amodei and I. Sutskever, "Language models are unsupervised
       multitask learners", 2019: GPT-2.

    Examples
    --------
    >>> transformer(training=False).n
    172
    """
    net = _transformer(layers, width, heads, length, batch, vocabulary, split_heads)
    return net.dag(training=training, weights=weights, element=element)


def network(name: str, *sizes: Any, **options: Any) -> Network:
    """The layers behind a generator of networks, with their parameters and activations.

    Parameters
    ----------
    name : str
        Of the generator: "mlp", "resnet", "transformer" or "unet".
    *sizes, **options
        Arguments of the generator, except `training`, `weights` and `element`, which the method `dag` takes.

    Returns
    -------
    Network

    Raises
    ------
    DagpartError
        If no such network is known, or an argument is out of range.

    Examples
    --------
    >>> network("transformer").parameters
    124439808
    """
    check_choice(name, "name", sorted(_NETWORKS))
    generator, build = _NETWORKS[name]
    signature = inspect.signature(generator)
    own = [p for p in signature.parameters.values() if p.name not in ("training", "weights", "element")]
    bound = signature.replace(parameters=own).bind(*sizes, **options)
    bound.apply_defaults()
    return build(**bound.arguments)


# ---------------------------------------------------------------------- the networks


def _mlp(layers: int, width: int | Sequence[int], batch: int) -> Network:
    layers = fits(check_size(layers, "layers"), "layers")
    batch = check_size(batch, "batch", most=_MOST)
    if isinstance(width, Sequence | np.ndarray):
        widths = [check_size(each, f"width[{i}]", most=_MOST) for i, each in enumerate(width)]
    else:
        widths = [check_size(width, "width", most=_MOST)] * (layers + 1)
    if len(widths) != layers + 1:
        raise DagpartError(
            f"width lists {len(widths)} sizes, but {layers} layers and the input need {layers + 1}"
        )
    net = Network(batch * widths[0])
    at = 0
    for k in range(1, layers + 1):
        at = _linear(net, f"fc{k}", at, batch, widths[k - 1], widths[k])
        if k < layers:
            at = _pointwise(net, f"relu{k}", at, 1, "output")
    return net


def _resnet(
    blocks: Sequence[int], bottleneck: bool, channels: int, image: int, batch: int, classes: int
) -> Network:
    stages = [check_size(each, f"blocks[{i}]") for i, each in enumerate(blocks)]
    if not stages or len(stages) > 10:
        raise DagpartError(f"blocks must list 1 to 10 stages, got {len(stages)}")
    fits(sum(stages), "blocks")
    channels = check_size(channels, "channels", most=2**10)
    net = _Images(check_size(batch, "batch", most=2**10), 3, check_size(image, "image", most=2**13))
    classes = check_size(classes, "classes", most=_MOST)
    at = net.convolve("conv1", 0, channels, 7, stride=2, bias=False)
    at = net.activated("", "1", at)
    at = net.pool("maxpool", at, 3, stride=2, padding=1)
    for stage, count in enumerate(stages, start=1):
        inner = channels << (stage - 1)
        for block in range(count):
            stride = 2 if stage > 1 and block == 0 else 1
            at = _residual(net, f"layer{stage}.{block}.", at, inner, stride, bottleneck)
    features = net.channels[at]
    at = net.net.add(
        "avgpool",
        [at],
        flops=net.net.layers[at].outputs,
        outputs=net.batch * features,
        saved="nothing",
    )
    _linear(net.net, "fc", at, net.batch, features, classes)
    return net.net


def _residual(net: _Images, name: str, at: int, inner: int, stride: int, bottleneck: bool) -> int:
    outer = 4 * inner if bottleneck else inner
    shortcut = at
    if stride > 1 or net.channels[at] != outer:
        shortcut = net.convolve(f"{name}downsample.conv", at, outer, 1, stride=stride, bias=False)
        shortcut = net.normalize(f"{name}downsample.bn", shortcut)
    # The 3 x 3 convolution has the stride.
    kernels = (
        [(inner, 1, 1), (inner, 3, stride), (outer, 1, 1)]
        if bottleneck
        else [
            (inner, 3, stride),
            (inner, 3, 1),
        ]
    )
    for k, (channels, kernel, step) in enumerate(kernels, start=1):
        at = net.convolve(f"{name}conv{k}", at, channels, kernel, stride=step, bias=False)
        at = net.normalize(f"{name}bn{k}", at) if k == len(kernels) else net.activated(name, str(k), at)
    at = net.add_up(f"{name}add", at, shortcut)
    return net.rectify(f"{name}relu{len(kernels)}", at)


def _unet(levels: int, channels: int, image: int, batch: int, colours: int, classes: int) -> Network:
    levels = check_size(levels, "levels", most=10)
    channels = check_size(channels, "channels", most=2**10)
    image = check_size(image, "image", most=2**13)
    if image % (1 << levels):
        raise DagpartError(f"image must be a multiple of {1 << levels} for {levels} levels, got {image}")
    colours = check_size(colours, "colours", most=2**10)
    classes = check_size(classes, "classes", most=2**10)
    net = _Images(check_size(batch, "batch", most=2**10), colours, image)
    at, kept = 0, []
    for level in range(levels):
        at = _twice(net, f"down{level}.", at, channels << level)
        kept.append(at)
        at = net.pool(f"down{level}.pool", at, 2, stride=2, padding=0)
    at = _twice(net, "bottom.", at, channels << levels)
    for level in range(levels - 1, -1, -1):
        at = net.upsample(f"up{level}.conv", at, channels << level)
        at = net.concatenate(f"up{level}.concat", kept[level], at)
        at = _twice(net, f"up{level}.", at, channels << level)
    net.convolve("out", at, classes, 1)
    return net.net


def _twice(net: _Images, name: str, at: int, channels: int) -> int:
    for k in ("1", "2"):
        at = net.convolve(f"{name}conv{k}", at, channels, 3, bias=False)
        at = net.activated(name, k, at)
    return at


def _transformer(
    layers: int, width: int, heads: int, length: int, batch: int, vocabulary: int, split_heads: bool
) -> Network:
    layers = fits(check_size(layers, "layers"), "layers")
    width = check_size(width, "width", most=2**17)
    heads = check_size(heads, "heads", most=width)
    if width % heads:
        raise DagpartError(f"width must be a multiple of heads={heads}, got {width}")
    length = check_size(length, "length", most=_MOST)
    batch = check_size(batch, "batch", most=2**10)
    vocabulary = check_size(vocabulary, "vocabulary", most=_MOST)
    words = batch * length
    net = Network(words)
    at = net.add(
        "embedding",
        [0],
        flops=words * width,
        outputs=words * width,
        parameters=(vocabulary + length) * width,
    )
    for k in range(layers):
        name = f"block{k}."
        normal = _pointwise(net, f"{name}norm1", at, _NORM, "inputs", parameters=2 * width)
        query, key, value = (
            _linear(net, f"{name}{part}", normal, words, width, width) for part in ("q", "k", "v")
        )
        parts = _attend(net, name, (query, key, value), batch, length, width, heads, split_heads)
        mixed = _linear(net, f"{name}proj", parts, words, width, width)
        at = net.add(f"{name}add1", [at, mixed], flops=words * width, outputs=words * width, saved="nothing")
        normal = _pointwise(net, f"{name}norm2", at, _NORM, "inputs", parameters=2 * width)
        inner = _linear(net, f"{name}fc1", normal, words, width, 4 * width)
        inner = _pointwise(net, f"{name}gelu", inner, _GELU, "inputs")
        inner = _linear(net, f"{name}fc2", inner, words, 4 * width, width)
        at = net.add(f"{name}add2", [at, inner], flops=words * width, outputs=words * width, saved="nothing")
    at = _pointwise(net, "norm", at, _NORM, "inputs", parameters=2 * width)
    # Its parameters are those of the embedding.
    net.add("head", [at], flops=2 * words * width * vocabulary, outputs=words * vocabulary, products=True)
    return net


def _attend(
    net: Network,
    name: str,
    projections: tuple[int, int, int],
    batch: int,
    length: int,
    width: int,
    heads: int,
    split: bool,
) -> list[int]:
    """Scores of all pairs of words, softmax, and the mean of the values by them; by heads maybe."""
    query, key, value = projections
    scored, mixed = batch * heads * length * length, batch * length * width
    flops = 2 * batch * length * length * width
    parts = heads if split else 1
    means = []
    for head in range(parts):
        label = f"{name}head{head}." if split else name
        q, k, v = query, key, value
        if split:
            # A head gets its columns of each projection.
            q, k, v = (
                net.add(f"{label}{part}", [whole], flops=0, outputs=mixed // parts, saved="nothing")
                for part, whole in (("q", query), ("k", key), ("v", value))
            )
        scores = net.add(
            f"{label}scores", [q, k], flops=flops // parts, outputs=scored // parts, products=True
        )
        chances = _pointwise(net, f"{label}softmax", scores, _SOFTMAX, "output")
        means.append(
            net.add(f"{label}mean", [chances, v], flops=flops // parts, outputs=mixed // parts, products=True)
        )
    return means


# ---------------------------------------------------------------------- layers


def _linear(net: Network, name: str, inputs: int | list[int], rows: int, columns: int, outputs: int) -> int:
    """Linear layer with a bias, on `rows` vectors."""
    return net.add(
        name,
        [inputs] if isinstance(inputs, int) else inputs,
        flops=2 * rows * columns * outputs + rows * outputs,
        outputs=rows * outputs,
        parameters=(columns + 1) * outputs,
        products=True,
    )


def _pointwise(net: Network, name: str, at: int, each: int, saved: Saved, parameters: int = 0) -> int:
    """Layer that puts out as many numbers as it takes, with some operations for each."""
    count = net.layers[at].outputs
    return net.add(name, [at], flops=each * count, outputs=count, parameters=parameters, saved=saved)


class _Images:
    """A network on square images: knows the channels and the side of what each layer puts out."""

    def __init__(self, batch: int, channels: int, side: int) -> None:
        self.batch = batch
        self.net = Network(batch * channels * side * side)
        self.channels = {0: channels}
        self.side = {0: side}

    def _put(self, layer: int, channels: int, side: int) -> int:
        self.channels[layer], self.side[layer] = channels, side
        return layer

    def _count(self, channels: int, side: int) -> int:
        return self.batch * channels * side * side

    def convolve(
        self, name: str, at: int, channels: int, kernel: int, *, stride: int = 1, bias: bool = True
    ) -> int:
        """Convolution that keeps the size of the image, but for the stride."""
        side = (self.side[at] - 1) // stride + 1
        outputs, weights = self._count(channels, side), self.channels[at] * kernel * kernel
        layer = self.net.add(
            name,
            [at],
            flops=2 * outputs * weights + bias * outputs,
            outputs=outputs,
            parameters=(weights + bias) * channels,
            products=True,
        )
        return self._put(layer, channels, side)

    def upsample(self, name: str, at: int, channels: int) -> int:
        """Transposed 2 x 2 convolution with a bias: twice the side."""
        side = 2 * self.side[at]
        outputs = self._count(channels, side)
        layer = self.net.add(
            name,
            [at],
            flops=2 * outputs * self.channels[at] + outputs,
            outputs=outputs,
            parameters=(4 * self.channels[at] + 1) * channels,
            products=True,
        )
        return self._put(layer, channels, side)

    def pool(self, name: str, at: int, kernel: int, *, stride: int, padding: int) -> int:
        """Maximum over windows."""
        side = (self.side[at] + 2 * padding - kernel) // stride + 1
        outputs = self._count(self.channels[at], side)
        layer = self.net.add(name, [at], flops=kernel * kernel * outputs, outputs=outputs)
        return self._put(layer, self.channels[at], side)

    def normalize(self, name: str, at: int) -> int:
        """Batch normalization."""
        layer = _pointwise(self.net, name, at, _NORM, "inputs", parameters=2 * self.channels[at])
        return self._put(layer, self.channels[at], self.side[at])

    def rectify(self, name: str, at: int) -> int:
        """Rectifier."""
        layer = _pointwise(self.net, name, at, 1, "output")
        return self._put(layer, self.channels[at], self.side[at])

    def activated(self, name: str, suffix: str, at: int) -> int:
        """Batch normalization and a rectifier."""
        return self.rectify(f"{name}relu{suffix}", self.normalize(f"{name}bn{suffix}", at))

    def add_up(self, name: str, at: int, other: int) -> int:
        """Sum of two images."""
        outputs = self.net.layers[at].outputs
        layer = self.net.add(name, [other, at], flops=outputs, outputs=outputs, saved="nothing")
        return self._put(layer, self.channels[at], self.side[at])

    def concatenate(self, name: str, at: int, other: int) -> int:
        """The channels of two images."""
        outputs = self.net.layers[at].outputs + self.net.layers[other].outputs
        layer = self.net.add(name, [at, other], flops=0, outputs=outputs, saved="nothing")
        return self._put(layer, self.channels[at] + self.channels[other], self.side[at])


_NETWORKS: dict[str, tuple[Callable[..., Dag], Callable[..., Network]]] = {
    "mlp": (mlp, _mlp),
    "resnet": (resnet, _resnet),
    "transformer": (transformer, _transformer),
    "unet": (unet, _unet),
}


def _named(
    names: list[str], flops: list[int], edges: list[tuple[int, int, int]], element: int, weights: Weights
) -> Dag:
    """The graph of the vertices called `names`, from its edges and the numbers that each carries."""
    largest = max(*flops, element * max(numbers for _, _, numbers in edges))
    if largest > _LARGEST:
        raise WeightError(f"a weight would be {largest}: make the network smaller")
    table: NDArray[np.int64] = np.array(edges, dtype=np.int64).reshape(-1, 3)
    pairs, numbers = merged_edges(len(names), table[:, 0], table[:, 1], table[:, 2])
    graph = weighed(len(names), pairs, flops, element * numbers, weights)
    return Dag.from_any(graph, names=names)
