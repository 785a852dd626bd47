// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IL1Block {
    function basefee() external view returns (uint256);
    function blobBaseFee() external view returns (uint256);
    function baseFeeScalar() external view returns (uint32);
    function blobBaseFeeScalar() external view returns (uint32);
    function operatorFeeScalar() external view returns (uint32);
    function operatorFeeConstant() external view returns (uint64);
}

/// Fees of an OP chain as they are since Jovian: specs.optimism.io/protocol/predeploys.html#gaspriceoracle, with the
/// formulas of fjord/predeploys.html and jovian/exec-engine.html.
contract GasPriceOracle {
    IL1Block private constant L1_BLOCK = IL1Block(0x4200000000000000000000000000000000000015);
    /// What a signature adds to an unsigned transaction, in bytes.
    uint256 private constant SIGNATURE = 68;

    uint256 public constant DECIMALS = 6;
    string public constant version = "1.6.0";
    bool public constant isEcotone = true;
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;
    bool public constant isJovian = true;

    /// @param data unsigned transaction, RLP
    function getL1Fee(bytes memory data) external view returns (uint256) {
        return _l1Cost(_fastLzLength(data) + SIGNATURE);
    }

    function getL1FeeUpperBound(uint256 unsignedTxSize) external view returns (uint256) {
        uint256 size = unsignedTxSize + SIGNATURE;
        return _l1Cost(size + size / 255 + 16);
    }

    function getL1GasUsed(bytes memory data) external pure returns (uint256) {
        return _estimatedSize(_fastLzLength(data) + SIGNATURE) * 16 / 1e6;
    }

    function getOperatorFee(uint256 gasUsed) external view returns (uint256) {
        return gasUsed * L1_BLOCK.operatorFeeScalar() * 100 + L1_BLOCK.operatorFeeConstant();
    }

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function l1BaseFee() external view returns (uint256) {
        return L1_BLOCK.basefee();
    }

    function blobBaseFee() external view returns (uint256) {
        return L1_BLOCK.blobBaseFee();
    }

    function baseFeeScalar() external view returns (uint32) {
        return L1_BLOCK.baseFeeScalar();
    }

    function blobBaseFeeScalar() external view returns (uint32) {
        return L1_BLOCK.blobBaseFeeScalar();
    }

    function decimals() external pure returns (uint256) {
        return DECIMALS;
    }

    function overhead() external pure returns (uint256) {
        revert("GasPriceOracle: overhead() is deprecated");
    }

    function scalar() external pure returns (uint256) {
        revert("GasPriceOracle: scalar() is deprecated");
    }

    function _l1Cost(uint256 fastLzSize) private view returns (uint256) {
        uint256 price = uint256(16) * L1_BLOCK.baseFeeScalar() * L1_BLOCK.basefee()
            + L1_BLOCK.blobBaseFeeScalar() * L1_BLOCK.blobBaseFee();
        return _estimatedSize(fastLzSize) * price / 1e12;
    }

    /// In millionths of a byte, at least 100 bytes.
    function _estimatedSize(uint256 fastLzSize) private pure returns (uint256) {
        uint256 scaled = 836_500 * fastLzSize;
        return scaled < 142_585_600 ? 100_000_000 : scaled - 42_585_600;
    }

    /// Length in bytes after FastLZ compression, level 1. devnet's own fastLzLength() says the same in TypeScript.
    function _fastLzLength(bytes memory data) private pure returns (uint256 length) {
        unchecked {
            uint256 limit = data.length > 13 ? data.length - 13 : 0;
            uint256[] memory seen = new uint256[](8192);
            uint256 written = 0;
            for (uint256 offset = 2; offset < limit;) {
                uint256 from;
                while (true) {
                    uint256 value = _three(data, offset);
                    uint256 slot = _hash(value);
                    from = seen[slot];
                    seen[slot] = offset;
                    bool isMatch = offset - from < 8192 && value == _three(data, from);
                    ++offset;
                    if (offset >= limit || isMatch) break;
                }
                if (offset >= limit) break;
                --offset;
                if (offset > written) length += _literals(offset - written);
                uint256 same = 0;
                while (offset + 3 + same < limit + 9) {
                    ++same;
                    if (data[from + 2 + same] != data[offset + 2 + same]) break;
                }
                uint256 rest = same - 1;
                length += (rest / 262) * 3 + (rest % 262 >= 6 ? 3 : 2);
                offset += same;
                seen[_hash(_three(data, offset))] = offset;
                ++offset;
                seen[_hash(_three(data, offset))] = offset;
                ++offset;
                written = offset;
            }
            length += _literals(data.length - written);
        }
    }

    function _literals(uint256 count) private pure returns (uint256) {
        uint256 rest = count % 32;
        return (count / 32) * 33 + (rest > 0 ? rest + 1 : 0);
    }

    /// Three bytes, the first one lowest.
    function _three(bytes memory data, uint256 offset) private pure returns (uint256) {
        return uint256(uint8(data[offset])) | (uint256(uint8(data[offset + 1])) << 8) | (uint256(uint8(data[offset + 2])) << 16);
    }

    function _hash(uint256 value) private pure returns (uint256) {
        unchecked {
            return ((value * 2_654_435_769) >> 19) & 8191;
        }
    }
}
